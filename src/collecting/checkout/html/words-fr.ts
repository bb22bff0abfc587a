/** The page in French, with a no-break space before : ; ! and ?. What each text is for: `words-en.ts`. */
import { html } from './html.ts';
import { ENGLISH, type Words } from './words-en.ts';

export const FRENCH: Words = {
  title: {
    open: 'Paiement',
    waiting: 'En attente de votre paiement',
    partially_paid: 'Payé en partie',
    paid: 'Payé',
    failed: 'Échec du paiement',
    expired: 'Lien de paiement expiré',
    canceled: 'Lien de paiement annulé',
    used_up: 'Lien de paiement épuisé',
  },
  headline: {
    open: 'Votre paiement',
    waiting: 'Montant à virer',
    partially_paid: 'Reste à payer',
    paid: 'Payé',
    failed: 'Le paiement a échoué',
    expired: 'Ce lien de paiement a expiré',
    canceled: 'Ce lien de paiement a été annulé',
    used_up: 'Ce lien de paiement est épuisé',
    card_waiting: 'Votre paiement par carte est en cours de confirmation',
    refunded: 'Remboursé',
  },
  testMode: 'Mode test',
  languages: 'Langue',
  company: 'Entreprise',
  legal: 'Mentions légales',
  privacy: 'Confidentialité',
  amount: 'Montant',
  regarding: 'Objet',
  validUntil: 'Valable jusqu’au',
  timeLeft: 'encore {}',
  between: (minimum, maximum) => `Entre ${minimum} et ${maximum}.`,
  atLeast: (amount) => `Au moins ${amount}.`,
  atMost: (amount) => `Au plus ${amount}.`,
  how: 'Comment souhaitez-vous payer\u00a0?',
  payBy: { bank_transfer: 'Payer par virement', card: 'Payer par carte' },
  payByNote: {
    bank_transfer:
      'Virement\u00a0: vous verrez les coordonnées bancaires et une référence, puis paierez depuis votre application bancaire.',
    card: 'Carte\u00a0: vous saisissez ses données sur la page de notre prestataire de paiement par carte.',
  },
  noWay: (merchant) => html`Il n’est pas possible de payer ici pour le moment. Veuillez contacter ${merchant}.`,
  otherWay: 'Payer autrement',
  insteadBy: { bank_transfer: 'Payer plutôt par virement', card: 'Payer plutôt par carte' },
  cardAgain: 'Revenir au paiement par carte',
  bankDetails: 'Coordonnées bancaires',
  bankFields: {
    ...ENGLISH.bankFields,
    account_holder: 'Titulaire du compte',
    account_number: 'Numéro de compte',
    bank_name: 'Banque',
  },
  noBankDetails: (merchant) =>
    html`Les coordonnées bancaires ne peuvent pas être affichées pour le moment. Veuillez contacter ${merchant}.`,
  rf: 'Référence du paiement',
  rfHint: 'Indiquez exactement cette référence. Elle permet de reconnaître votre paiement.',
  qr: 'Code QR pour applications bancaires\u00a0: remplit le compte, le montant et la référence de ce virement.',
  qrHint: 'Scannez-le avec votre application bancaire, et le virement est rempli.',
  qrHintOnPhone:
    'Enregistrez l’image et ouvrez-la dans votre application bancaire, ou scannez-la depuis un autre écran.',
  openInApp: 'Ouvrir dans l’application bancaire',
  savePicture: 'Enregistrer l’image',
  waiting:
    'Nous attendons votre virement. Un virement instantané arrive en quelques secondes, les autres d’ici le prochain jour ouvré.',
  cardWaiting: 'Cela prend en général quelques secondes. Vous n’avez pas à payer de nouveau.',
  checkAgain: 'Vérifier à nouveau',
  partlyPaid: (received, amount) =>
    `Montant reçu\u00a0: ${received} sur ${amount}. Veuillez virer le reste avec la même référence.`,
  receipt: 'Reçu',
  print: 'Imprimer',
  download: 'Télécharger le reçu (PDF)',
  paidTo: 'Payé à',
  paidOn: 'Payé le',
  paidBy: 'Payé par',
  method: { bank_transfer: 'Virement', card: 'Carte' },
  received: 'Montant reçu',
  refunded: 'Remboursé',
  overpaid: (amount, merchant) =>
    html`Nous avons reçu ${amount} de plus que le montant. Veuillez contacter ${merchant} pour en obtenir le remboursement.`,
  duplicates: (amount, merchant) =>
    html`Après le paiement complet, ${amount} de plus sont arrivés. Veuillez contacter ${merchant} pour en obtenir le remboursement.`,
  continueTo: (host) => `Continuer vers ${host}`,
  givenUp: (merchant) => html`Ce paiement est clos. Veuillez contacter ${merchant} au sujet de l’argent reçu.`,
  ended: {
    failed: () => html`Aucun montant n’a été reçu.`,
    expired: (merchant) => html`Il ne permet plus de payer. Veuillez en demander un nouveau à ${merchant}.`,
    canceled: (merchant) => html`${merchant} l’a retiré. Veuillez ne pas envoyer d’argent.`,
    used_up: (merchant) =>
      html`Tous ses paiements ont été reçus. Veuillez ne pas envoyer d’argent. Si vous en avez déjà envoyé, ou si vous devez encore payer, veuillez contacter ${merchant}.`,
  },
  simulate: 'Simuler la banque',
  simulateNote: 'Ceci est un test\u00a0: aucun argent réel ne circule. Choisissez ce que la banque annonce.',
  outcome: { exact: 'Payer exactement', partial: 'Payer en partie', twice: 'Payer deux fois', fail: 'Échouer' },
  onceMore: 'Payer encore une fois',
  copy: 'Copier',
  copyOf: (label) => `Copier\u00a0: ${label}`,
  copied: 'Copié',
  notice: {
    amount_invalid: 'Ce n’est pas un montant. Veuillez saisir des chiffres, par exemple {}.',
    amount_too_small: 'Ce montant est trop petit.',
    amount_too_large: 'Ce montant est trop élevé.',
    form_expired: 'Cette page est restée ouverte trop longtemps, et rien n’a été envoyé. Veuillez réessayer.',
    already_paid: 'Ceci a déjà été payé. Il n’y a plus rien à payer.',
    card_unavailable:
      'Le paiement par carte n’est pas disponible pour le moment. Veuillez choisir un autre moyen ou réessayer plus tard.',
    try_again: 'Cela n’a pas fonctionné. Veuillez réessayer.',
  },
  fault: {
    not_found: {
      title: 'Il n’y a pas de page de paiement ici',
      text: 'Veuillez vérifier que le lien est complet, ou demander à la personne qui vous l’a envoyé.',
    },
    too_many: { title: 'Trop de demandes', text: 'Veuillez attendre une minute, puis recharger cette page.' },
    unavailable: {
      title: 'Cette page n’est pas disponible pour le moment',
      text: 'L’erreur vient de nous, pas de vous. Veuillez recharger cette page dans une minute.',
    },
  },
};
