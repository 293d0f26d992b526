import { stringList } from '../../block-options/options.ts';
import { labelOf } from '../../choices/choices.ts';
import { isJsonObject, type JsonValue, ownMember, type Property } from '../../property.ts';
import { fillIn } from '../../texts/template.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { type Html, html } from '../html.ts';
import { partName } from '../part-names.ts';
import { attributes, clearRadio, isClearable } from './parts.ts';

/** Up to so many columns leave more room for the names of rows; more columns need it for their own names. */
const FEW_COLUMNS = 4;

/** A table with one choice per row; on a narrow screen styles put each row's choices under its name. */
export const matrixControl: FieldControl = {
  groupRole: () => 'group',
  render(property, context) {
    const columns = [...new Set(stringList(property.columns))];
    const rows = stringList(property.rows);
    const heads = columns.map((column) => html`<th scope="col">${labelOf(property, column)}</th>`);
    const withClear = isClearable(property, context);
    let count = 0;
    const body = rows.map((row, index) => {
      // a repeated row is shown once
      if (rows.indexOf(row) !== index) return null;
      const cells = columns.map((column) => cell(property, context, { row, column, count: count++ }));
      return html`<tr data-row="${index}"><th scope="row">${labelOf(property, row)}</th>${cells}${withClear ? clearCell(property, context, row) : null}</tr>`;
    });
    return html`<p class="hint">${context.texts.matrixHint}</p><table class="matrix"><colgroup><col width="${headWidth(columns.length, withClear)}"><col span="${columns.length}">${withClear ? html`<col width="32">` : null}</colgroup><thead><tr><td></td>${heads}${withClear ? html`<td></td>` : null}</tr></thead><tbody>${body}</tbody></table>`;
  },
};

/** The control that clears a row takes its room from the names of rows, because the columns are narrow already. */
function headWidth(columns: number, withClear: boolean): string {
  if (columns <= FEW_COLUMNS) return '34%';
  return withClear ? '18%' : '24%';
}

function clearCell(property: Property, context: ControlContext, row: string): Html {
  const name = partName(property.id, row);
  const label = rowLabel(property, context, row, context.texts.clear);
  return html`<td>${clearRadio(property, context, { name, 'aria-label': label })}</td>`;
}

interface Cell {
  row: string;
  column: string;
  /** Cells before it. */
  count: number;
}

function cell(property: Property, context: ControlContext, { row, column, count }: Cell): Html {
  const { id, answer, isInvalid } = context;
  const chosen = isJsonObject(answer) ? ownMember(answer as { [row: string]: JsonValue }, row) : undefined;
  const label = labelOf(property, column);
  const input = attributes({
    type: 'radio',
    id: `${id}-${count}`,
    name: partName(property.id, row),
    value: column,
    checked: chosen === column,
    'aria-label': rowLabel(property, context, row, label),
    'aria-invalid': isInvalid && 'true',
  });
  return html`<td><label><input${input}><span>${label}</span></label></td>`;
}

function rowLabel(property: Property, { texts, language }: ControlContext, row: string, column: string) {
  return fillIn(texts.rowOfMatrix, { row: labelOf(property, row), column }, language);
}
