/** Whose books these are; a menu where the person belongs to several merchants. */
import { Menu, UnstyledButton } from '@mantine/core';
import { useHere } from '../api/environment.tsx';
import { keepMerchant } from '../api/session.ts';
import { Icon } from '../ui/icons.tsx';
import classes from './shell.module.css';

export function MerchantName() {
  const { environment, environments } = useHere();
  const { id, name } = environment.merchant;
  const merchants = new Map(environments.map(({ merchant }) => [merchant.id, merchant.name]));
  if (merchants.size < 2) return <div className={classes['merchant']}>{name}</div>;
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={classes['merchant'] ?? ''}>
          {name} <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {[...merchants].map(([each, word]) => (
          <Menu.Item
            key={each}
            rightSection={each === id && <Icon name="check" size={16} />}
            onClick={() => {
              keepMerchant(each);
              location.assign(import.meta.env.BASE_URL);
            }}
          >
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
