/** The page in German, in the polite form. What each text is for: `words-en.ts`. */
import { html } from './html.ts';
import { ENGLISH, type Words } from './words-en.ts';

export const GERMAN: Words = {
  title: {
    open: 'Zahlung',
    waiting: 'Warten auf Ihre Zahlung',
    partially_paid: 'Teilweise bezahlt',
    paid: 'Bezahlt',
    failed: 'Zahlung fehlgeschlagen',
    expired: 'Zahlungslink abgelaufen',
    canceled: 'Zahlungslink zurückgezogen',
    used_up: 'Zahlungslink verbraucht',
  },
  headline: {
    open: 'Ihre Zahlung',
    waiting: 'Bitte überweisen Sie',
    partially_paid: 'Noch zu zahlen',
    paid: 'Bezahlt',
    failed: 'Die Zahlung ist fehlgeschlagen',
    expired: 'Dieser Zahlungslink ist abgelaufen',
    canceled: 'Dieser Zahlungslink wurde zurückgezogen',
    used_up: 'Dieser Zahlungslink ist verbraucht',
    card_waiting: 'Ihre Kartenzahlung wird bestätigt',
    refunded: 'Erstattet',
  },
  testMode: 'Testmodus',
  languages: 'Sprache',
  company: 'Unternehmen',
  legal: 'Impressum',
  privacy: 'Datenschutz',
  amount: 'Betrag',
  regarding: 'Betrifft',
  validUntil: 'Gültig bis',
  timeLeft: 'noch {}',
  between: (minimum, maximum) => `Zwischen ${minimum} und ${maximum}.`,
  atLeast: (amount) => `Mindestens ${amount}.`,
  atMost: (amount) => `Höchstens ${amount}.`,
  how: 'Wie möchten Sie zahlen?',
  payBy: { bank_transfer: 'Per Überweisung zahlen', card: 'Mit Karte zahlen' },
  payByNote: {
    bank_transfer:
      'Überweisung: Sie sehen als Nächstes die Bankverbindung und einen Verwendungszweck und zahlen in Ihrer Banking-App.',
    card: 'Karte: Sie geben die Kartendaten auf der Seite unseres Kartendienstleisters ein.',
  },
  noWay: (merchant) => html`Hier kann zurzeit nicht gezahlt werden. Bitte wenden Sie sich an ${merchant}.`,
  otherWay: 'Anders zahlen',
  insteadBy: { bank_transfer: 'Stattdessen überweisen', card: 'Stattdessen mit Karte zahlen' },
  cardAgain: 'Zurück zur Kartenzahlung',
  bankDetails: 'Bankverbindung',
  bankFields: {
    ...ENGLISH.bankFields,
    account_holder: 'Kontoinhaber',
    account_number: 'Kontonummer',
    routing_number: 'Routing Number',
    sort_code: 'Sort Code',
    bank_name: 'Bank',
  },
  noBankDetails: (merchant) =>
    html`Die Bankverbindung kann zurzeit nicht gezeigt werden. Bitte wenden Sie sich an ${merchant}.`,
  rf: 'Verwendungszweck',
  rfHint: 'Bitte genau so angeben. Daran wird Ihre Zahlung erkannt.',
  qr: 'QR-Code für Banking-Apps: füllt Konto, Betrag und Verwendungszweck dieser Überweisung aus.',
  qrHint: 'Scannen Sie ihn mit Ihrer Banking-App, und die Überweisung ist ausgefüllt.',
  qrHintOnPhone:
    'Speichern Sie das Bild und öffnen Sie es in Ihrer Banking-App, oder scannen Sie es von einem anderen Bildschirm.',
  openInApp: 'In der Banking-App öffnen',
  savePicture: 'Bild speichern',
  waiting:
    'Wir warten auf Ihre Überweisung. Eine Echtzeitüberweisung ist in Sekunden da, andere bis zum nächsten Bankarbeitstag.',
  cardWaiting: 'Das dauert meist nur einige Sekunden. Sie müssen nicht noch einmal zahlen.',
  checkAgain: 'Erneut prüfen',
  partlyPaid: (received, amount) =>
    `${received} von ${amount} sind eingegangen. Bitte überweisen Sie den Rest mit demselben Verwendungszweck.`,
  receipt: 'Beleg',
  print: 'Drucken',
  download: 'Beleg herunterladen (PDF)',
  paidTo: 'Bezahlt an',
  paidOn: 'Bezahlt am',
  paidBy: 'Bezahlt per',
  method: { bank_transfer: 'Überweisung', card: 'Karte' },
  received: 'Eingegangen',
  refunded: 'Erstattet',
  overpaid: (amount, merchant) =>
    html`Es sind ${amount} mehr als der Betrag eingegangen. Bitte wenden Sie sich an ${merchant}, um sie zurückzubekommen.`,
  duplicates: (amount, merchant) =>
    html`Nachdem alles bezahlt war, sind weitere ${amount} eingegangen. Bitte wenden Sie sich an ${merchant}, um sie zurückzubekommen.`,
  continueTo: (host) => `Weiter zu ${host}`,
  givenUp: (merchant) =>
    html`Diese Zahlung wurde beendet. Bitte wenden Sie sich wegen des eingegangenen Geldes an ${merchant}.`,
  ended: {
    failed: () => html`Es ist kein Geld eingegangen.`,
    expired: (merchant) => html`Mit ihm kann nicht mehr gezahlt werden. Bitte fragen Sie ${merchant} nach einem neuen.`,
    canceled: (merchant) => html`${merchant} hat ihn zurückgezogen. Bitte senden Sie dafür kein Geld.`,
    used_up: (merchant) =>
      html`Alle seine Zahlungen sind eingegangen. Bitte senden Sie dafür kein Geld. Wenn Sie schon etwas gesendet haben oder noch zahlen müssen, wenden Sie sich bitte an ${merchant}.`,
  },
  simulate: 'Die Bank simulieren',
  simulateNote: 'Dies ist ein Test: Es bewegt sich kein echtes Geld. Wählen Sie, was die Bank meldet.',
  outcome: { exact: 'Genau zahlen', partial: 'Teilweise zahlen', twice: 'Doppelt zahlen', fail: 'Fehlschlagen' },
  onceMore: 'Noch einmal zahlen',
  copy: 'Kopieren',
  copyOf: (label) => `Kopieren: ${label}`,
  copied: 'Kopiert',
  notice: {
    amount_invalid: 'Das ist kein Betrag. Bitte geben Sie Ziffern ein, etwa {}.',
    amount_too_small: 'Dieser Betrag ist zu klein.',
    amount_too_large: 'Dieser Betrag ist zu groß.',
    form_expired: 'Diese Seite war zu lange offen, und nichts wurde gesendet. Bitte versuchen Sie es erneut.',
    already_paid: 'Das ist schon bezahlt. Es ist nichts mehr zu zahlen.',
    card_unavailable:
      'Kartenzahlungen sind zurzeit nicht möglich. Bitte wählen Sie einen anderen Weg oder versuchen Sie es später.',
    try_again: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  },
  fault: {
    not_found: {
      title: 'Hier ist keine Zahlungsseite',
      text: 'Bitte prüfen Sie, ob der Link vollständig ist, oder fragen Sie, wer ihn Ihnen geschickt hat.',
    },
    too_many: { title: 'Zu viele Anfragen', text: 'Bitte warten Sie eine Minute und laden Sie die Seite dann neu.' },
    unavailable: {
      title: 'Diese Seite ist gerade nicht erreichbar',
      text: 'Der Fehler liegt bei uns, nicht bei Ihnen. Bitte laden Sie die Seite in einer Minute neu.',
    },
  },
};
