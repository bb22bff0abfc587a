/** A secret or a link that is shown this once: to copy, and to close only when it is kept. Nothing stores it. */
import { Button, Checkbox, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Shell } from './shell-text.tsx';

interface Props {
  readonly title: string;
  /** What it opens, and to whom it may be given. */
  readonly children: ReactNode;
  /** `null`: closed. */
  readonly secret: string | null;
  close(): void;
}

export function Once({ title, children, secret, close }: Props) {
  const [isKept, setKept] = useState(false);
  const leave = () => {
    setKept(false);
    close();
  };
  return (
    <Modal
      opened={secret !== null}
      onClose={() => isKept && leave()}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <div className="stack">
        <p>{children}</p>
        {secret !== null && <Shell text={secret} />}
        <Checkbox label="I have kept it" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <div className="buttons">
          <Button onClick={leave} disabled={!isKept}>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  );
}
