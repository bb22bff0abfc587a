/** The person: their own page, how the pages look, and the way out. */
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useLocation } from 'wouter';
import { door } from '../api/client.ts';
import { useHere } from '../api/environment.tsx';
import { useDensity } from '../ui/density.ts';
import { Icon } from '../ui/icons.tsx';
import classes from './shell.module.css';

const SCHEMES = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

interface Props {
  readonly name: string;
  showKeys(): void;
}

export function PersonMenu({ name, showKeys }: Props) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  const signOut = async () => {
    await door('POST', 'session/end', {}).catch(() => undefined);
    location.assign(import.meta.env.BASE_URL);
  };
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton className={classes['person'] ?? ''} aria-label={`You: ${name}`}>
          <Icon name="person" />
          <span className={classes['person-name']}>{name}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="person" size={16} />} onClick={() => navigate(`/${mode}/me`)}>
          Your account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, word]) => (
          <Menu.Item
            key={scheme}
            rightSection={scheme === colorScheme && <Icon name="check" size={16} />}
            onClick={() => setColorScheme(scheme)}
          >
            {word}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          role="menuitemcheckbox"
          aria-checked={density === 'compact'}
          rightSection={density === 'compact' && <Icon name="check" size={16} />}
          onClick={() => setDensity(density === 'compact' ? 'normal' : 'compact')}
        >
          Compact rows
        </Menu.Item>
        <Menu.Item rightSection={<kbd className={classes['kbd']}>?</kbd>} onClick={showKeys}>
          Keys
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
