/** Sandbox or live. It changes the address, and so everything; an object of one mode is none of the other, so its list opens. */
import { Menu, UnstyledButton } from '@mantine/core';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { environmentOf } from '../api/session.ts';
import { Icon } from '../ui/icons.tsx';
import { modeWord } from '../ui/page.tsx';
import classes from './shell.module.css';

const MODES = ['live', 'sandbox'] as const;
const ABOUT = { live: 'Real money', sandbox: 'Play money, to try things out' };

export function ModeSwitch() {
  const { mode, environments } = useHere();
  const [path, navigate] = useLocation();
  const there = MODES.filter((each) => environmentOf(environments, each) !== undefined);
  const list = path.split('/')[2] ?? '';
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={`${classes['mode']} ${classes[mode]}`} aria-label={`Mode: ${modeWord(mode)}`}>
          {modeWord(mode)} <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {there.map((each) => (
          <Menu.Item
            key={each}
            rightSection={each === mode && <Icon name="check" size={16} />}
            onClick={() => navigate(`/${each}${list === '' ? '' : `/${list}`}`)}
          >
            <div>{modeWord(each)}</div>
            <div className="small muted">{ABOUT[each]}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
