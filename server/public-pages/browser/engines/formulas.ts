import { compileVariables as variablesCompiler } from '../../../../fields/formulas/variables.ts';

/** What the few forms with computed variables need. */
export const compileVariables = variablesCompiler;
