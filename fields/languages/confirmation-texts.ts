/** Texts for those who confirm their e-mail address, on pages and in the mail. */
export interface ConfirmationTexts {
  /** Also the subject of the mail. */
  confirmTitle: string;
  /** After sending. `{address}` */
  confirmSent: string;
  confirmSpam: string;
  /** The mail. */
  sendAgain: string;
  sentAgain: string;
  sentOften: string;
  /** Above the button labelled `confirm`. `{address}` */
  confirmText: string;
  confirm: string;
  confirmedAlready: string;
  confirmUnfit: string;
  /** After `confirmUnfit`, or where the form is full or closed. */
  confirmKept: string;
  /** In the mail, above the link. `{title}` of the form */
  confirmMail: string;
  /** In the mail, below the link: CONFIRMATION_DAYS in words. */
  confirmMailIgnore: string;
}
