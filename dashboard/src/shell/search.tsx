/** Ctrl K. */
import { Modal } from '@mantine/core';

export function Search({ close }: { close(): void }) {
  return (
    <Modal opened onClose={close} title="Search">
      …
    </Modal>
  );
}
