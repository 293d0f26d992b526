// Without the package's tables of all properties: 0.7 MB of source that every start would read.
import parse from 'css-tree/parser';
import walk from 'css-tree/walker';

/**
 * What is wrong with an owner's style sheet, or null. It is put into the page as it is, so it must be CSS from its
 * first to its last character, and load nothing that could replace it later.
 */
export function cssProblem(css: string): string | null {
  let problem: string | null = null;
  const tree = parse(css, {
    onParseError: ({ line, message }) => {
      problem ??= `The custom css is not valid in line ${line}: ${message}.`;
    },
  });
  if (problem !== null) return problem;
  walk(tree, (node) => {
    if (node.type === 'Atrule' && node.name.toLowerCase() === 'import')
      problem ??= 'The custom css may not import other style sheets.';
    if (node.type === 'Url' && !/^(https?:|data:image\/|[/#.])/i.test(node.value.trim()))
      problem ??= 'The custom css may only load pictures and fonts from http or https addresses.';
    if (node.type === 'Raw' && /[<>]!?--|<\//.test(node.value))
      problem ??= 'The custom css may not hold markup.';
  });
  return problem;
}
