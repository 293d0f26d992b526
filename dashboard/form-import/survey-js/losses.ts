import type { JsonObject, JsonValue } from '../../../fields/property.ts';
import { numberOf, objectsOf, tableOf, textOf } from '../json.ts';
import { asName } from '../words.ts';
import type { Read } from './choices.ts';

/** Members of repeated panels and rows that are imported, or noted where they are read. */
const READ = `
  type name title description isRequired readOnly visible correctAnswer validators visibleIf requiredIf
  enableIf setValueExpression defaultValueExpression resetValueIf minValueExpression maxValueExpression
  defaultValue defaultRowValue defaultPanelValue templateElements questions columns detailElements
  detailPanelMode cellType choices templateTitle minPanelCount maxPanelCount minRowCount maxRowCount
  allowAddPanel allowAddRows
`;
/** Members for looks, and texts that belong to something else noted here. */
const LOOKS = `
  startWithNewLine width minWidth maxWidth indent rightIndent state renderAs cssClasses titleLocation
  descriptionLocation errorLocation hideNumber showNumber showQuestionNumbers templateTitleLocation
  templateQuestionTitleLocation templateQuestionTitleWidth templateErrorLocation panelsState
  showRangeInProgress showProgressBar progressBarLocation templateTabTitle tabAlign tabTitlePlaceholder
  panelPrevText prevPanelText panelNextText nextPanelText showNavigation showHeader columnColCount
  columnMinWidth columnLayout transposeData horizontalScroll verticalAlign cellErrorLocation
  alternateRows hideColumnsIfEmpty hideIfRowsEmpty rowTitleWidth addRowLocation addRowButtonLocation
  detailPanelShowOnAdding optionsCaption placeholder keyDuplicationError isUniqueCaseSensitive
  confirmDeleteText commentText commentPlaceholder
`;
const KNOWN: ReadonlySet<string> = new Set(`${READ} ${LOOKS}`.trim().split(/\s+/));

const COPIED = 'A new entry began as the last one was. Here it begins empty.';
const KEPT = 'Nobody could remove entries. Here everybody can.';
const ORDERED = 'Entries could be put in another order. Here they stay in theirs.';
const BUTTONS = 'The words of its buttons are left out.';
const EMPTY = 'What it said without entries is left out.';
const COMMENT = 'What could be added in own words is left out.';

const ifOn = (text: string) => (value: JsonValue) => (value === true ? text : '');
const ifOff = (text: string) => (value: JsonValue) => (value === false ? text : '');
const always = (text: string) => () => text;

/** Notes for members that are lost; '' if nothing is. */
const LOSSES = tableOf<(value: JsonValue, element: JsonObject) => string>({
  keyName: (value) => mustDiffer(textOf(value)),
  copyDefaultValueFromLastEntry: ifOn(COPIED),
  defaultValueFromLastPanel: ifOn(COPIED),
  defaultValueFromLastRow: ifOn(COPIED),
  allowRemovePanel: ifOff(KEPT),
  allowRemoveRows: ifOff(KEPT),
  allowRowReorder: ifOn(ORDERED),
  allowRowsDragAndDrop: ifOn(ORDERED),
  confirmDelete: ifOn('It asked before an entry was removed. Here it does not.'),
  newPanelPosition: (value) =>
    value === 'next' ? 'A new entry came behind the one that was shown. Here it comes last.' : '',
  displayMode: oneAtATime,
  renderMode: oneAtATime,
  panelCount: beginning,
  rowCount: beginning,
  panelAddText: always(BUTTONS),
  addPanelText: always(BUTTONS),
  panelRemoveText: always(BUTTONS),
  removePanelText: always(BUTTONS),
  addRowText: always(BUTTONS),
  removeRowText: always(BUTTONS),
  noEntriesText: always(EMPTY),
  emptyRowsText: always(EMPTY),
  noRowsText: always(EMPTY),
  valueName: (value) =>
    `It had its entries in common with others called “${textOf(value)}”. Here it has its own.`,
  hasComment: ifOn(COMMENT),
  showCommentArea: ifOn(COMMENT),
});

/** Notes each member of repeated panels or rows that is lost, once; an unknown one by its name. */
export function tellLosses(element: JsonObject, read: Read, note: (text: string) => void): void {
  const losses = Object.entries(element).flatMap(([key, value]) => {
    if (KNOWN.has(key) || value === undefined || value === null || value === '') return [];
    const told = LOSSES[key];
    if (told) return told(value, element);
    return value === false ? [] : leftOut(key, value, read);
  });
  for (const column of objectsOf(element.columns)) losses.push(...columnLosses(column, read));
  for (const text of new Set(losses)) if (text !== '') note(text);
}

/** Losses of a column, which concern all rows. */
function columnLosses(column: JsonObject, read: Read): string[] {
  const name = asName(read(column.title).text) || textOf(column.name);
  const kind = textOf(column.totalType);
  const hasTotal = (kind !== '' && kind !== 'none') || textOf(column.totalExpression) !== '';
  return [
    ...(column.isUnique === true ? [mustDiffer(name)] : []),
    ...(hasTotal ? [`The total of “${name}” is left out.`] : []),
  ];
}

function mustDiffer(name: string): string {
  return `“${name}” had to be another one in every entry. Here it may be the same.`;
}

function oneAtATime(value: JsonValue, { type }: JsonObject): string {
  const isList = type !== 'paneldynamic' || value === 'list';
  return isList ? '' : 'It showed one entry at a time. Here they stand below each other.';
}

/** If rows cannot be added, their number was imported as the maximum. */
function beginning(value: JsonValue, element: JsonObject): string {
  const [least, canAdd] =
    element.type === 'paneldynamic'
      ? [element.minPanelCount, element.allowAddPanel]
      : [element.minRowCount, element.allowAddRows];
  const [count, here] = [numberOf(value) ?? 0, Math.max(1, numberOf(least) ?? 0)];
  return canAdd === false || count <= here
    ? ''
    : `It began with ${count} entries. Here it begins with ${here}.`;
}

function leftOut(key: string, value: JsonValue, read: Read): string {
  const text = typeof value === 'object' && !Array.isArray(value) ? read(value).text : textOf(value);
  return text === '' ? `“${key}” is left out.` : `“${key}” is left out: ${text}`;
}
