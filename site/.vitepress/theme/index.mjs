/** The usual theme without its fonts, in our colours. */
import theme from 'vitepress/theme-without-fonts';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import './style.css';

export default theme;
