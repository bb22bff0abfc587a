/** Code of a page that comes when the page is opened, or a little before. */
import { type ComponentType, lazy, useState } from 'react';
import type { Ahead } from './api/reads.ts';

/** `ahead`: asks for what it shows before it is drawn, where that is the first thing that anybody sees. */
type PageOfCode = ComponentType & { ahead?(ask: Ahead): Promise<unknown> };
export type LatePage = ComponentType & { load(): Promise<PageOfCode> };

/**
 * Code that comes when the page is opened. What has come already is drawn at once: `lazy` would first draw a placeholder, and React holds back
 * what takes its place for 0.3 s.
 */
export function late(load: () => Promise<PageOfCode>): LatePage {
  let here: PageOfCode | undefined;
  const loaded = async () => (here ??= await load());
  const Later = lazy(async () => ({ default: await loaded() }));
  const Late = () => {
    const [Content] = useState(() => here ?? Later);
    return <Content />;
  };
  return Object.assign(Late, { load: loaded });
}
