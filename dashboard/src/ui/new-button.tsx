/** The button that leads to the form for another one of a list: there for everybody, and off with the reason for who may not. */
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { useMay } from '../api/me.ts';
import { Action } from './action.tsx';
import { Icon } from './icons.tsx';

interface Props {
  readonly word: string;
  /** Of the form, below the mode. */
  readonly to: string;
  /** All of them. */
  readonly needs: readonly string[];
  /** As in "Your role may not pay." */
  readonly verb: string;
}

export function NewButton({ word, to, needs, verb }: Props) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const may = useMay();
  return (
    <Action
      leftSection={<Icon name="plus" size={16} />}
      reason={needs.every(may) ? null : `Your role may not ${verb}.`}
      onClick={() => navigate(`/${mode}${to}`)}
    >
      {word}
    </Action>
  );
}
