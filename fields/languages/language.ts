import type { MessageTemplates } from '../messages.ts';
import type { Template } from '../template.ts';

/** Everything the service says to people who fill in a form, in one language. Plain data: it travels as JSON. */
export interface Language {
  /** ISO 639-1, as in a form's `language` and the page's `lang`. */
  code: string;
  /** What refused answers are told. */
  messages: MessageTemplates;
  /** What the API says instead: its texts in English are a contract, which names of a word or two read well in. */
  apiMessages?: MessageTemplates;
  page: PageTexts;
}

/** Texts of the public page. The places of a text stand in its comment; `fillIn` puts the values there. */
export interface PageTexts {
  // Going through the form
  submit: string;
  next: string;
  previous: string;
  /** Focused style: the key that goes on. */
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
  /** In and of an empty input, for an answer that is not among the options. */
  ownOption: string;
  /** Behind an option, in brackets. */
  noPlaces: string;
  /** The same. `{count}` */
  placesLeft: Template;
  /** `{name}`: an option or a file */
  remove: string;
  /** `{count}` options match what was typed */
  results: Template;
  /** `{count}` options are chosen */
  selected: Template;
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
  /** How to order with the keyboard. */
  rankingKeys: string;
  /** `{name}` */
  moveUp: string;
  /** `{name}` */
  moveDown: string;
  /** `{name}` `{place}` `{total}` */
  movedTo: string;
  /** Of a box to tick under what is to be put in order. */
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
  showPassword: string;
  hidePassword: string;

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
  /** Of the area to draw in. */
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

  // Media of others, loaded on demand
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
  /** A form that is answered by personal links only. */
  personalTitle: string;
  personalText: string;
  answeredTitle: string;
  answeredText: string;
  /** Also at the end of mails. */
  stopMails: string;
  /** Above the button that says `stopMails`. */
  stopMailsText: string;
  mailsStopped: string;
  notFoundTitle: string;
  notFoundText: string;
  failedTitle: string;
  failedText: string;
  thankYouText: string;
  fillAgain: string;
  editAnswers: string;
  editingText: string;
  saveChanges: string;
  editNotFound: string;
  /** After `editNotFound` or `continueLinkInvalid`. */
  sentAsNew: string;
  // Results for everybody
  resultsTitle: string;
  seeResults: string;
  /** `{count}` */
  responses: Template;
  fewResponses: string;
  /** Before a number. */
  average: string;
  /** What respondents wrote themselves, which is not shown. */
  otherAnswers: string;

  madeWith: string;
}
