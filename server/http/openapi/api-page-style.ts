/** The style sheet of the API page; its hash is part of the page's policy. */
export const API_PAGE_STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --quiet: #5b636c; --paper: #fff; --panel: #f5f6f8; --line: #d9dde2; --link: #1f5fbf; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaed; --quiet: #a3abb5; --paper: #14171a; --panel: #1d2125; --line: #343a41; --link: #8ab8ff; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--paper); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
h1 { margin: .5rem 0 0; }
h2 { margin: 3rem 0 1rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1.25rem 0 .4rem; }
.quiet { color: var(--quiet); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; }
article { padding: 1.5rem 0; border-bottom: 1px solid var(--line); }
.call { margin: .4rem 0; }
.call b { display: inline-block; min-width: 4.5rem; padding: .1rem .5rem; border: 1px solid currentColor; border-radius: .3rem; text-align: center; font-size: .8rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: normal; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-size: .85rem; }
.must { color: var(--quiet); font-size: .8rem; }
.answers { list-style: none; margin: 0; padding: 0; }
.answers summary { cursor: pointer; }
nav ul { list-style: none; margin: 0; padding: 0 0 .5rem; }
nav a { display: block; padding: .3rem 0; text-decoration: none; }
nav b { font-size: .7rem; color: var(--quiet); }
nav summary { padding: .3rem 0; font-weight: 600; cursor: pointer; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); column-gap: 2.5rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-top: 1rem; }
}
@media (max-width: 60rem) { nav { border-block: 1px solid var(--line); padding: .5rem 0; } }
`;
