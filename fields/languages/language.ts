import type { MessageTemplates } from '../texts/messages.ts';
import type { Template } from '../texts/template.ts';
import type { ConfirmationTexts } from './confirmation-texts.ts';
import type { PaymentTexts } from './payment-texts.ts';
import type { ReceiptTexts } from './receipt-texts.ts';

/** All texts of the service for people who fill in a form, in one language. Plain data that is sent as JSON. */
export interface Language {
  /** ISO 639-1 code, as in a form's `language` and the page's `lang`. */
  code: string;
  /** Texts about refused answers. */
  messages: MessageTemplates;
  /** Used by the API instead: its English texts are a contract, and suit names of a word or two. */
  apiMessages?: MessageTemplates;
  page: PageTexts;
}

/** Texts of the public page. The comment of a text lists its placeholders, which `fillIn` replaces. */
export interface PageTexts extends ConfirmationTexts, PaymentTexts, ReceiptTexts {
  // Moving through the form
  submit: string;
  next: string;
  previous: string;
  /** Focused style: shown before the key that goes on. */
  pressEnter: string;
  /** `{step}` `{total}` */
  progress: string;
  /** `{date}` */
  openUntil: string;
  opensOn: string;
  sending: string;
  sendFailed: string;
  offline: string;
  tooMany: string;
  /** The page was open for too long. */
  expired: string;

  // Any field
  required: string;
  optional: string;
  error: string;
  /** `{count}` */
  errorSummary: Template;
  tryAgain: string;
  clear: string;
  close: string;
  cancel: string;
  yes: string;
  no: string;
  /** For screen readers, after a link. */
  newTab: string;

  // Choices
  choose: string;
  search: string;
  noMatch: string;
  /** `{text}` */
  addOption: string;
  /** One more entry of repeated questions. */
  addEntry: string;
  /** Label and hint of an input for an answer that is not among the options. */
  ownOption: string;
  /** After an option, in brackets. */
  noPlaces: string;
  /** After an option, in brackets. `{count}` */
  placesLeft: Template;
  /** `{name}`: an option or a file */
  remove: string;
  /** `{count}` options match what was typed */
  results: Template;
  /** `{count}` options are chosen */
  selected: Template;
  /** Options that another one ruled out. `{names}` */
  noLongerChosen: string;
  /** How to use a list with the keyboard. */
  listHint: string;
  /** `{count}` */
  chooseAtLeast: Template;
  /** `{count}` */
  chooseAtMost: Template;
  /** `{count}` */
  chooseExactly: Template;
  /** `{min}` `{max}` */
  chooseBetween: string;
  /** `{value}` `{max}` */
  ratingValue: string;
  matrixHint: string;
  /** `{row}` `{column}` */
  rowOfMatrix: string;
  rankingHint: string;
  /** How to order the list with the keyboard. */
  rankingKeys: string;
  /** `{name}` */
  moveUp: string;
  /** `{name}` */
  moveDown: string;
  /** `{name}` `{place}` `{total}` */
  movedTo: string;
  /** A box to tick below a list to put in order. */
  orderIsRight: string;

  // Dates, numbers, texts
  from: string;
  to: string;
  date: string;
  time: string;
  today: string;
  /** `{count}` */
  charactersLeft: Template;
  /** `{count}` */
  charactersOver: Template;
  phoneCountry: string;
  phoneHint: string;
  showSecret: string;
  hideSecret: string;

  // Rich text
  formatting: string;
  bold: string;
  italic: string;
  underline: string;
  heading: string;
  bulletList: string;
  numberedList: string;
  link: string;
  linkAddress: string;
  removeLink: string;

  // Files
  chooseFile: string;
  chooseFiles: string;
  /** After `chooseFile` or `chooseFiles`. */
  dropFiles: string;
  takePhoto: string;
  /** `{percent}` */
  uploading: string;
  uploadFailed: string;
  /** It was changed on the device. */
  fileChanged: string;
  uploadsPending: string;
  /** `{name}` */
  uploadedFile: string;
  /** `{limit}` megabytes */
  fileTooLarge: string;
  fileEmpty: string;
  fileTypeRefused: string;
  oneFileOnly: string;
  /** `{types}` */
  fileTypes: string;
  /** `{limit}` megabytes */
  maxSize: string;

  // Signature and barcode
  drawSignature: string;
  typeSignature: string;
  uploadSignature: string;
  /** Name of the area to draw in. */
  signatureArea: string;
  typeSignatureLabel: string;
  undo: string;
  scan: string;
  stopScan: string;
  scanHint: string;
  /** `{code}` */
  scanned: string;
  noCamera: string;

  // Location
  locationHint: string;
  findLocation: string;
  findingLocation: string;
  /** `{count}` meters */
  locationFound: string;
  noLocation: string;

  // Media of other sites, loaded on demand
  /** `{host}` */
  playVideo: string;
  /** `{host}` */
  playAudio: string;
  /** `{host}` */
  mediaHint: string;

  // Captcha
  captchaLabel: string;
  /** `{a}` `{b}` */
  captchaQuestion: string;
  /** Beside an input that only browsers without styles show. */
  leaveEmpty: string;
  captchaHelp: string;
  captchaWorking: string;
  captchaDone: string;
  captchaFailed: string;

  // Keeping answers
  saving: string;
  saved: string;
  restored: string;
  startOver: string;
  startOverConfirm: string;
  continueLater: string;
  continueLaterHelp: string;
  /** Where a link goes on with stored answers: somebody else may have begun them. */
  continuingText: string;
  continueLinkInvalid: string;
  copyLink: string;
  copied: string;

  // Without a network
  keptForLater: string;
  /** `{count}` */
  waitingResponses: Template;
  sendNow: string;
  /** `{count}` */
  keptSent: Template;
  /** `{date}` `{reason}` */
  keptRefused: string;
  correct: string;
  discard: string;
  discardConfirm: string;

  // Pages beside the form
  protectedTitle: string;
  protectedText: string;
  passwordLabel: string;
  wrongPassword: string;
  unlock: string;
  closedTitle: string;
  closedText: string;
  fullTitle: string;
  fullText: string;
  /** A form that only personal links can answer. */
  personalTitle: string;
  personalText: string;
  answeredTitle: string;
  answeredText: string;
  /** Also at the end of mails. */
  stopMails: string;
  /** Above the button labelled `stopMails`. */
  stopMailsText: string;
  mailsStopped: string;
  notFoundTitle: string;
  notFoundText: string;
  failedTitle: string;
  failedText: string;
  thankYouText: string;
  fillAgain: string;
  editAnswers: string;
  /** In a mail to the owners of a form. */
  openResponse: string;
  editingText: string;
  /** With the names of the questions. */
  removedAnswers: string;
  saveChanges: string;
  editNotFound: string;
  /** After `editNotFound` or `continueLinkInvalid`. */
  sentAsNew: string;
  // Public results
  resultsTitle: string;
  seeResults: string;
  /** `{count}` */
  responses: Template;
  fewResponses: string;
  /** Stands before a number. */
  average: string;
  /** Respondents' own texts, which are not shown. */
  otherAnswers: string;

  madeWith: string;
}
