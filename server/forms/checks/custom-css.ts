// Only these two: the whole package reads 0.7 MB of property tables at every start.
import parse from 'css-tree/parser';
import walk from 'css-tree/walker';

/** The parser is recursive, and runs out of stack at some depth. */
const TOO_DEEP = 'The custom css is nested too deeply.';

/**
 * What is wrong with an owner's style sheet, or null. As it is put into the page unchanged, all of it must be valid CSS, and it must
 * not load other style sheets, whose content could change later.
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
      // The parser reports running out of stack here, too, and would go on.
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
