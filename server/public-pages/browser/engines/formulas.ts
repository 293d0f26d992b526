import { compileVariables as variablesCompiler } from '../../../../fields/formulas/variables.ts';

/** Needed only by forms with computed variables. */
export const compileVariables = variablesCompiler;
