/**
 * Why a statement file was refused, in a sentence for people, and where. It never quotes the file: no names, no account numbers, not the
 * name of a file within a ZIP, which often is an account number. Only a wrong day and an unknown currency are named, if they look like one.
 */

export type StatementFileErrorCode =
  /** Neither XML nor MT940 or MT942 nor ZIP, or empty. */
  | 'format'
  | 'encoding'
  /** Not well-formed, or with entities of its own. */
  | 'xml'
  /** Fields of an MT940 or MT942 that are missing, or stand where they cannot. */
  | 'mt'
  | 'doctype'
  /** Larger, deeper or more than the limits allow. */
  | 'limit'
  | 'zip'
  /** A message that is not read. */
  | 'message'
  /** An amount, day, sign or count that cannot be meant. */
  | 'value'
  /** A heading that comes after what it is for. */
  | 'order';

export interface Place {
  /** From 1. */
  readonly line: number;
  /** `/Document/BkToCstmrStmt/Stmt[1]/Ntry[3]/Amt`; of an MT940 its field, `:61:`. */
  readonly path: string;
}

export class StatementFileError extends Error {
  readonly code: StatementFileErrorCode;
  readonly sentence: string;
  readonly place: Place | undefined;
  /** Which file of a ZIP, from 1. */
  readonly fileNumber: number | undefined;

  constructor(code: StatementFileErrorCode, sentence: string, place?: Place, fileNumber?: number) {
    const where = [
      fileNumber === undefined ? '' : `file ${fileNumber} of the ZIP`,
      place === undefined ? '' : `line ${place.line}`,
      place?.path ?? '',
    ].filter((part) => part !== '');
    super(where.length === 0 ? sentence : `${sentence} (${where.join(', ')})`);
    this.name = 'StatementFileError';
    this.code = code;
    this.sentence = sentence;
    this.place = place;
    this.fileNumber = fileNumber;
  }

  inFile(fileNumber: number): StatementFileError {
    return new StatementFileError(this.code, this.sentence, this.place, fileNumber);
  }
}
