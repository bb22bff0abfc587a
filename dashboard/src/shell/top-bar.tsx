/** Merchant, mode, search, and the person. */
import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useHere } from '../api/environment.tsx';
import { Icon } from '../ui/icons.tsx';
import { MerchantName } from './merchant.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './shell.module.css';
import { Stale } from './stale.tsx';

interface Props {
  openSearch(): void;
  openMenu(): void;
  openKeys(): void;
}

export function TopBar({ openSearch, openMenu, openKeys }: Props) {
  const { person } = useHere();
  return (
    <header className={classes['top']}>
      <ActionIcon
        className={classes['burger'] ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        aria-label="Pages"
        onClick={openMenu}
      >
        <Icon name="menu" size={20} />
      </ActionIcon>
      <MerchantName />
      <ModeSwitch />
      <UnstyledButton className={classes['search'] ?? ''} onClick={openSearch}>
        <VisuallyHidden>Search:</VisuallyHidden>
        <Icon name="search" size={16} />
        <span className={classes['search-word']}>Id, name, amount, request</span>
        <kbd className={`${classes['kbd']} ${classes['search-keys']}`}>Ctrl K</kbd>
      </UnstyledButton>
      <div className="grow" />
      <Stale />
      <PersonMenu name={person.name} showKeys={openKeys} />
    </header>
  );
}
