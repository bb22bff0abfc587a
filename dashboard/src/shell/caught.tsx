/** A page whose code fails, or whose code did not arrive, does not take the shell with it. */
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { sentenceOf } from '../api/errors.ts';

interface Props {
  readonly children: ReactNode;
}

export class Caught extends Component<Props, { readonly fault: unknown }> {
  override readonly state: { readonly fault: unknown } = { fault: null };

  static getDerivedStateFromError(fault: unknown) {
    return { fault };
  }

  override render() {
    if (this.state.fault === null) return this.props.children;
    return (
      <div className="page">
        <div className="condition" role="alert">
          <p>This page does not work: {sentenceOf(this.state.fault)}</p>
          <Button variant="default" onClick={() => location.reload()}>
            Load it again
          </Button>
        </div>
      </div>
    );
  }
}
