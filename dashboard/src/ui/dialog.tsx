/** A dialog: its name, a way out, Escape, and the focus back where it was. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly size?: number;
  readonly children: ReactNode;
  close(): void;
}

export function Dialog({ title, isOpen, size = 460, children, close }: Props) {
  return (
    <Modal.Root opened={isOpen} onClose={close} size={size} classNames={{ content: 'dialog' }}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Modal.Header: that is a second banner to those who hear the page. */}
        <div className="dialog-head">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}
