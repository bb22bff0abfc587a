/** A button for what may be done, and under it, where it may not, the reason as text: a tip that comes by hovering is none on a phone. */
import { Button, type ButtonProps } from '@mantine/core';
import { useId } from 'react';

interface Props extends ButtonProps {
  /** Why it may not be done; `null`: it may. */
  readonly reason: string | null;
  onClick(): void;
}

export function Action({ reason, disabled = false, ...button }: Props) {
  const id = useId();
  if (reason === null) return <Button {...button} disabled={disabled} />;
  return (
    <span className="action-off">
      <Button {...button} disabled aria-describedby={id} />
      <span id={id} className="small muted">
        {reason}
      </span>
    </span>
  );
}
