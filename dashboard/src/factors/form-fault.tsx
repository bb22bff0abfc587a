/** A fault of a form in one sentence; read out when it appears. */
import './factors.css';

export function FormFault({ text }: { readonly text: string | null }) {
  return (
    <p role="alert" className="form-fault" data-empty={text === null || undefined}>
      {text}
    </p>
  );
}
