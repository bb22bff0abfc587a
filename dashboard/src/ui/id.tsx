/** An id: shortened in the middle, whole in the clipboard. A link to its page where it has one. */
import { Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { hrefOf } from '../links.ts';
import { Icon } from './icons.tsx';
import { Go } from './go.tsx';

interface Props {
  readonly id: string;
  /** All of it. */
  readonly whole?: boolean;
  /** No link, though it has a page: the page is this one. */
  readonly here?: boolean;
}

/** `po_01mak…axt`. */
export const shortId = (id: string): string => {
  const at = id.indexOf('_') + 1;
  return id.length - at < 14 ? id : `${id.slice(0, at + 5)}…${id.slice(-4)}`;
};

export function Id({ id, whole = false, here = false }: Props) {
  const href = here ? undefined : hrefOf(id);
  const text = whole ? id : shortId(id);
  return (
    <span className="id">
      {href === undefined ? (
        <span className="mono" title={id}>
          {text}
        </span>
      ) : (
        <Go to={href} className="mono" title={id}>
          {text}
        </Go>
      )}
      <Copy text={id} what={id} />
    </span>
  );
}

/** A button that copies. `what` names it for those who do not see the icon. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const clipboard = useClipboard({ timeout: 1_500 });
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : 'Copy'}>
      <UnstyledButton
        className="copy"
        aria-label={clipboard.copied ? 'Copied' : `Copy ${what}`}
        onClick={(event) => {
          event.stopPropagation();
          clipboard.copy(text);
        }}
      >
        <Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />
      </UnstyledButton>
    </Tooltip>
  );
}
