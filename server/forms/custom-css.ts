// Without the package's tables of all properties: 0.7 MB of source that every start would read.
import parse from 'css-tree/parser';
import walk from 'css-tree/walker';

/** The parser calls itself for each level, until there is no room for another. */
const TOO_DEEP = 'The custom css is nested too deeply.';

/**
 * What is wrong with an owner's style sheet, or null. It is put into the page as it is, so it must be CSS from its
 * first to its last character, and load nothing that could replace it later.
 */
export function cssProblem(css: string): string | null {
  try {
    return problemIn(css);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

function problemIn(css: string): string | null {
  let problem: string | null = null;
  const tree = parse(css, {
    onParseError: (error) => {
      // The parser goes on after errors of its own making, too.
      if (error instanceof RangeError) throw error;
      problem ??= `The custom css is not valid in line ${error.line}: ${error.message}.`;
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
