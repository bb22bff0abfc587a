/** A line for a terminal, and the button that copies one. */
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Copy } from './id.tsx';
import { Icon } from './icons.tsx';

export function Shell({ text }: { readonly text: string }) {
  return (
    <div className="shell-text">
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} what="the command" />
    </div>
  );
}

export interface CurlOf {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** `/v1/…` */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Runs in any POSIX shell, whatever the values hold. The key stays a variable: no secret is copied. */
export function curlOf({ method = 'GET', path, body }: CurlOf): string {
  const lines = [`curl ${quoted(`${location.origin}${path}`)}`, `-H "Authorization: Bearer $BURSAR_KEY"`];
  if (method !== 'GET') lines[0] += ` -X ${method}`;
  if (method !== 'GET') lines.push('-H "Idempotency-Key: $(uuidgen)"');
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

export const CopyAsCurl = (props: CurlOf) => <CopyCurl text={curlOf(props)} />;

/** A line that was made elsewhere. */
export function CopyCurl({ text }: { readonly text: string }) {
  const clipboard = useClipboard({ timeout: 1_500 });
  return (
    <Button
      variant="default"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'terminal'} size={16} />}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? 'Copied' : 'Copy as curl'}
    </Button>
  );
}
