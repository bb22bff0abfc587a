/** What a PDF says, read by a program that shares no code with the one that writes it. */
import PdfReader from 'pdf2json';

/** Its texts in the order in which they were laid out, page by page. */
export function textsOf(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  return new Promise((resolve, reject) => {
    const reader = new PdfReader();
    reader.on('pdfParser_dataError', (fault) => reject(fault instanceof Error ? fault : fault.parserError));
    reader.on('pdfParser_dataReady', ({ Pages: pages }) =>
      resolve(
        pages.map(({ Texts: texts }) => texts.map(({ R: runs }) => runs.map(({ T: run }) => decoded(run)).join(''))),
      ),
    );
    reader.parseBuffer(bytes, 0);
  });
}
const decoded = (text: string) => decodeURIComponent(text);
