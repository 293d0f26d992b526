/** Texts of receipts, and of the page that checks them. */
export interface ReceiptTexts {
  receipt: string;
  /** `{date}` */
  receivedOn: string;
  /** `{date}` */
  unchangedSince: string;
  /** `{number}`: the id of the submission, or how it begins */
  receiptNumber: string;
  /** `{address}` */
  receiptProof: string;
  downloadSigned: string;
  print: string;
  /** At the end of the signed text. `{address}` */
  keepUnchanged: string;
  checkReceipt: string;
  /** Labels of two inputs. */
  receiptFile: string;
  receiptWhole: string;
  /** Outcomes of a check. */
  receiptGenuine: string;
  receiptFalse: string;
  receiptUnreadable: string;
}
