/** The style sheet of every page: phone first, dark by the visitor’s system, plain in print. Colours: `colours.ts`. */
import { accentOn, DARK, DEFAULT_ACCENT, LIGHT, properties } from './colours.ts';

const light = `${properties(LIGHT)};${properties(accentOn(DEFAULT_ACCENT, LIGHT), 'accent-')}`;
const dark = `${properties(DARK)};${properties(accentOn(DEFAULT_ACCENT, DARK), 'accent-')}`;

const SOURCE = `
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{
  margin:0 auto;padding:1.25rem 1rem 2rem;max-width:33rem;min-height:100vh;display:flex;flex-direction:column;overflow-wrap:break-word;hyphens:auto;
  background:var(--ground);color:var(--text);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
}
h1,h2,p,dl,dd,ul,figure{margin:0}
h2{font-size:1.0625rem;font-weight:600;line-height:1.35;margin-bottom:.75rem}
bdi{overflow-wrap:anywhere}
a{color:var(--accent-text);text-underline-offset:.2em}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-bottom:1rem;min-height:2.5rem}
header img{max-height:2.5rem;max-width:7rem;border-radius:.375rem}
.name{font-weight:600;flex:1 1 6rem;min-width:0}
.badge{
  flex:none;padding:.125rem .625rem;border-radius:1rem;border:1px solid var(--test);
  background:var(--test-ground);color:var(--test);font-size:.8125rem;font-weight:600;
}
main,.column{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}
.column{display:contents}
.card{
  padding:1.25rem;border-radius:1rem;border:1px solid var(--line);background:var(--card);
  box-shadow:0 1px 2px rgb(0 0 0/.05),0 8px 24px rgb(0 0 0/.05);
}
h1{font-size:1.25rem;line-height:1.3;font-weight:600}
h1 .lead{display:block;font-size:1rem;font-weight:400;color:var(--muted)}
h1 .sum{
  display:block;margin-top:.125rem;font-size:clamp(1.25rem,9vw,2.5rem);line-height:1.15;font-weight:650;
  letter-spacing:-.02em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere;
}
h1 .long{font-size:clamp(1.25rem,6.5vw,1.875rem)}
h1 .longest{font-size:clamp(1rem,5vw,1.375rem)}
.mark{display:block;width:2.75rem;height:2.75rem;margin-bottom:.75rem;color:var(--muted)}
.mark.good{color:var(--good)}
.mark.bad{color:var(--bad)}
.text{margin-top:.75rem;white-space:pre-line;overflow-wrap:anywhere}
.muted{color:var(--muted);font-size:.9375rem}
.facts{margin-top:1rem;padding-top:.5rem;border-top:1px solid var(--line)}
.receipt{margin:1.25rem 0 -.5rem}
.facts div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.25rem 0}
dt{color:var(--muted);font-size:.9375rem}
dd{overflow-wrap:anywhere}
.facts dd{font-weight:500;text-align:end;margin-inline-start:auto;text-wrap:balance}
.left{display:block;color:var(--muted);font-weight:400;font-variant-numeric:tabular-nums}
.details>div{position:relative;padding:.625rem 0;border-top:1px solid var(--line)}
.details>div:first-child{border-top:0;padding-top:0}
.details>div:last-child{padding-bottom:0}
.details dt{min-height:2rem;padding-inline-end:6rem}
.details .muted{margin-top:.25rem}
.value{font-weight:600;font-variant-numeric:tabular-nums}
.copy{
  position:absolute;inset-block-start:.5rem;inset-inline-end:0;min-height:1.875rem;min-width:2.75rem;padding:0 .75rem;
  border-radius:.5rem;border:1px solid var(--edge);background:none;color:var(--text);font:inherit;font-size:.875rem;cursor:pointer;
}
.details>div:first-child .copy{inset-block-start:-.125rem}
.copy::after{content:"";position:absolute;inset:-.5rem}
.scan{text-align:center}
.on-desk{display:none}
.qr{display:block;width:100%;max-width:13.5rem;margin:0 auto .75rem;border-radius:.5rem;border:1px solid var(--line)}
.status{display:flex;gap:.75rem;margin-top:1rem}
.status>div{min-width:0}
.dot{flex:none;width:.75rem;height:.75rem;margin-top:.4375rem;border-radius:50%;background:var(--accent-edge)}
.check{display:inline-block;padding:.375rem 0;margin-bottom:-.375rem}
form{display:grid;gap:.75rem}
form+.muted,.muted+.muted{margin-top:.75rem}
label{display:block;font-weight:600;margin-bottom:.375rem}
.field{display:flex;align-items:center;border:1px solid var(--edge);border-radius:.625rem;background:var(--card)}
.field span{padding:0 .875rem;color:var(--muted)}
input{
  flex:1;min-width:0;width:100%;min-height:3rem;padding:.5rem .875rem;border:0;border-radius:.625rem;
  background:none;color:inherit;font:inherit;font-size:1.25rem;font-variant-numeric:tabular-nums;
}
.wrong .field{border:2px solid var(--bad)}
.error{margin-top:.375rem;color:var(--bad);font-weight:500}
.hint{margin-top:.375rem}
.button{
  display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:1px solid var(--accent-edge);border-radius:.625rem;
  background:var(--accent-fill);color:var(--accent-on-fill);font:inherit;font-weight:600;line-height:1.4;
  text-align:center;text-decoration:none;cursor:pointer;overflow-wrap:anywhere;
}
.button:hover{text-decoration:underline}
.second{background:none;color:var(--text);border-color:var(--edge)}
:focus-visible{outline:3px solid var(--accent-edge);outline-offset:2px}
main:focus{outline:0}
.alert{padding:.875rem 1.25rem;border-radius:1rem;border:1px solid var(--bad);background:var(--bad-ground);color:var(--bad);font-weight:500}
.next{margin-top:1.25rem}
.test{border:1px dashed var(--test);background:var(--test-ground);box-shadow:none}
.test h2{margin-bottom:.25rem;color:var(--test)}
.test p{margin-bottom:.875rem}
.test form{grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr))}
.test .button{background:var(--card);color:var(--text);border-color:var(--test);min-height:2.75rem;padding:.5rem}
footer{margin-top:auto;padding-top:1.5rem}
.company{padding-bottom:1rem;text-align:center;color:var(--muted);font-size:.875rem}
.company ul{font-size:inherit;margin-top:.25rem}
.company a{text-decoration:underline}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1rem}
.tools .button{flex:1 1 9rem;max-width:100%;overflow-wrap:break-word;min-height:2.75rem;padding:.5rem .75rem}
footer ul{display:flex;flex-wrap:wrap;justify-content:center;gap:0 .25rem;padding:0;list-style:none;font-size:.875rem}
footer a{display:block;padding:.375rem .5rem;color:var(--muted);text-decoration:none}
footer a:hover{text-decoration:underline}
footer a[aria-current]{color:var(--text);font-weight:600;text-decoration:underline}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:18rem){
  .details dt{padding:0}
  .copy,.details>div:first-child .copy{position:relative;inset:auto;display:block;margin-top:.25rem}
}
@media (min-width:40rem){body{padding:2.5rem 1.5rem}.card{padding:1.75rem}.alert{padding:.875rem 1.75rem}}
@media (min-width:56rem){
  body.wide{max-width:60rem}
  .wide main{grid-template-columns:minmax(0,5fr) minmax(0,6fr);gap:1.25rem;align-items:start}
  .wide .column{display:grid;gap:1.25rem}
  .scan{order:-1;display:grid;grid-template-columns:auto 1fr;align-items:center;gap:1.25rem;text-align:start}
  .scan .qr{width:13.5rem;margin:0}
  .scan .tools,.on-phone{display:none}
  .on-desk{display:inline}
  .wide .column:first-child{position:sticky;top:1.25rem}
  .wide .alert{grid-column:1/-1}
}
@media (prefers-reduced-motion:no-preference){
  .dot{animation:wait 2s ease-in-out infinite}
  @keyframes wait{50%{opacity:.25}}
}
@media (forced-colors:active){
  .dot{background:CanvasText}
  .qr{forced-color-adjust:none}
  .button,.copy{border-color:ButtonText}
}
@media print{
  .on-phone{display:none}
  .on-desk{display:inline}
  :root{color-scheme:light}
  body,body.wide{max-width:none;padding:0;min-height:0;background:none}
  .card{padding:0;border:0;box-shadow:none}
  main{gap:1.5rem}
  nav,.tools,.company ul,.copy,.test,.status,.left,form,.next,.other{display:none}
  .qr{max-width:5cm;margin-inline:0}
  .scan{text-align:start}
}
`;

/** Without line ends and indentation. White space inside a line may have a meaning and stays. */
export const STYLE_SHEET = SOURCE.replace(/\n\s*/g, '');
