/** The page of one thing while it is read, or what kept it from being read. */
import { Failed, Loading } from './conditions.tsx';
import { Page } from './page.tsx';

interface Props {
  readonly title: string;
  /** The list that it belongs to. */
  readonly from: { readonly to: string; readonly word: string };
  /** As in "You may not see keys". */
  readonly what: string;
  /** What `useRead` answers. */
  readonly read: { readonly error: unknown; refetch(): Promise<unknown> };
}

export function Unread({ title, from, what, read }: Props) {
  return (
    <Page title={title} from={from}>
      {read.error === null ? (
        <Loading lines={8} />
      ) : (
        <Failed error={read.error} again={() => void read.refetch()} what={what} />
      )}
    </Page>
  );
}
