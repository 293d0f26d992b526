/*
 * For a thank-you page that was loaded itself, for example by coming back to it from another site. It may follow its form in the
 * history as one document, and then going back loads nothing by itself.
 */
addEventListener('popstate', () => void import('./load-anew.ts').then(({ loadAnew }) => loadAnew()));
