import type { Property } from '../../fields/property.ts';
import { isCalculation, shownName } from './fields.ts';

interface FieldOptionsProps {
  fields: readonly Property[];
  nameOf?(field: Property): string;
}

/** Options of a select for questions and, under a separate heading, calculations. */
export function FieldOptions({ fields, nameOf = shownName }: FieldOptionsProps) {
  const calculations = fields.filter(isCalculation);
  const option = (field: Property) => (
    <option key={field.id} value={field.id}>
      {nameOf(field)}
    </option>
  );
  return (
    <>
      {fields.filter((field) => !isCalculation(field)).map(option)}
      {calculations.length > 0 && <optgroup label="Calculations">{calculations.map(option)}</optgroup>}
    </>
  );
}
