/** A receiver of a stream in the memory of the test: it takes everything at once and keeps its events and comments. */
import type { Sink } from '../../../src/platform/http/transfer/stream.ts';

export class MemorySink implements Sink {
  /** Whole events as text, in order. */
  readonly events: string[] = [];
  readonly comments: string[] = [];
  isOver = false;
  readonly #callbacks: (() => void)[] = [];
  #arrived: () => void = () => undefined;

  async write(text: string): Promise<void> {
    const blocks = text.split('\n\n');
    this.events.push(...blocks.filter((block) => block.startsWith('id:')));
    this.comments.push(...blocks.filter((block) => block.startsWith(':')));
    this.#arrived();
  }

  onOver(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  async has(count: number): Promise<void> {
    while (this.events.length < count) await new Promise<void>((resolve) => (this.#arrived = resolve));
  }

  end(): void {
    this.isOver = true;
    for (const callback of this.#callbacks) callback();
  }
}
