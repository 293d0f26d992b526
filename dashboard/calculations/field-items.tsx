import type { Property } from '../../fields/property.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import { isCalculation, shownName } from './fields.ts';

interface FieldItemsProps {
  fields: readonly Property[];
  onChoose(field: Property): void;
}

/** Menu items for questions and, under a separate heading, calculations. */
export function FieldItems({ fields, onChoose }: FieldItemsProps) {
  const calculations = fields.filter(isCalculation);
  const item = (field: Property) => (
    <MenuItem key={field.id} onSelect={() => onChoose(field)}>
      <bdi>{shownName(field)}</bdi>
    </MenuItem>
  );
  return (
    <>
      {fields.filter((field) => !isCalculation(field)).map(item)}
      {calculations.length > 0 && <MenuLabel>Calculations</MenuLabel>}
      {calculations.map(item)}
    </>
  );
}
