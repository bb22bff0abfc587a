/** Named states and the transitions between them: any other transition is a fault of ours, and an assertion says so. */
import { assert } from '../core/values/assert.ts';

export class StateMachine<S extends string> {
  private state: S;
  private readonly transitions: Readonly<Record<S, readonly S[]>>;

  constructor(start: S, transitions: Readonly<Record<S, readonly S[]>>) {
    this.state = start;
    this.transitions = transitions;
  }

  is(...states: readonly S[]): boolean {
    return states.includes(this.state);
  }

  /** Throws unless the table of transitions allows it. */
  become(next: S): void {
    assert(this.transitions[this.state].includes(next), `what is ${this.state} does not become ${next}`);
    this.state = next;
  }
}
