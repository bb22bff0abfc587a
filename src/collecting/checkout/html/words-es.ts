/** The page in Spanish, in the polite form. What each text is for: `words-en.ts`. */
import { html } from './html.ts';
import { ENGLISH, type Words } from './words-en.ts';

export const SPANISH: Words = {
  title: {
    open: 'Pago',
    waiting: 'A la espera de su pago',
    partially_paid: 'Pagado en parte',
    paid: 'Pagado',
    failed: 'El pago ha fallado',
    expired: 'Enlace de pago caducado',
    canceled: 'Enlace de pago anulado',
    used_up: 'Enlace de pago agotado',
  },
  headline: {
    open: 'Su pago',
    waiting: 'Importe a transferir',
    partially_paid: 'Queda por pagar',
    paid: 'Pagado',
    failed: 'El pago ha fallado',
    expired: 'Este enlace de pago ha caducado',
    canceled: 'Este enlace de pago se ha anulado',
    used_up: 'Este enlace de pago está agotado',
    card_waiting: 'Su pago con tarjeta se está confirmando',
    refunded: 'Reembolsado',
  },
  testMode: 'Modo de prueba',
  languages: 'Idioma',
  amount: 'Importe',
  regarding: 'Concepto',
  validUntil: 'Válido hasta',
  timeLeft: 'quedan {}',
  between: (minimum, maximum) => `Entre ${minimum} y ${maximum}.`,
  atLeast: (amount) => `Como mínimo ${amount}.`,
  atMost: (amount) => `Como máximo ${amount}.`,
  how: '¿Cómo desea pagar?',
  payBy: { bank_transfer: 'Pagar por transferencia', card: 'Pagar con tarjeta' },
  payByNote: {
    bank_transfer:
      'Transferencia: a continuación verá los datos bancarios y una referencia, y pagará desde su aplicación bancaria.',
    card: 'Tarjeta: los datos se introducen en la página de nuestro proveedor de pagos con tarjeta.',
  },
  noWay: (merchant) => html`En este momento no se puede pagar aquí. Póngase en contacto con ${merchant}.`,
  otherWay: 'Pagar de otra forma',
  insteadBy: { bank_transfer: 'Pagar mejor por transferencia', card: 'Pagar mejor con tarjeta' },
  cardAgain: 'Volver al pago con tarjeta',
  bankDetails: 'Datos bancarios',
  bankFields: {
    ...ENGLISH.bankFields,
    account_holder: 'Titular de la cuenta',
    account_number: 'Número de cuenta',
    bank_name: 'Banco',
  },
  noBankDetails: (merchant) =>
    html`En este momento no se pueden mostrar los datos bancarios. Póngase en contacto con ${merchant}.`,
  rf: 'Referencia del pago',
  rfHint: 'Indique exactamente esta referencia. Con ella se reconoce su pago.',
  qr: 'Código QR para aplicaciones bancarias: rellena la cuenta, el importe y la referencia de esta transferencia.',
  qrHint: 'Escanéelo con su aplicación bancaria y la transferencia quedará rellenada.',
  waiting:
    'Esperamos su transferencia. Una transferencia inmediata llega en segundos; las demás, como tarde el siguiente día hábil.',
  cardWaiting: 'Suele tardar unos segundos. No tiene que volver a pagar.',
  checkAgain: 'Comprobar de nuevo',
  partlyPaid: (received, amount) =>
    `Se han recibido ${received} de ${amount}. Transfiera el resto con la misma referencia.`,
  receipt: 'Recibo',
  paidTo: 'Pagado a',
  paidOn: 'Fecha de pago',
  paidBy: 'Forma de pago',
  method: { bank_transfer: 'Transferencia', card: 'Tarjeta' },
  received: 'Recibido',
  refunded: 'Reembolsado',
  overpaid: (amount, merchant) =>
    html`Se han recibido ${amount} de más. Póngase en contacto con ${merchant} para recuperarlos.`,
  duplicates: (amount, merchant) =>
    html`Después de completarse el pago llegaron otros ${amount}. Póngase en contacto con ${merchant} para recuperarlos.`,
  continueTo: (host) => `Continuar a ${host}`,
  givenUp: (merchant) => html`Este pago se ha cerrado. Póngase en contacto con ${merchant} por el dinero recibido.`,
  ended: {
    failed: () => html`No se ha recibido dinero.`,
    expired: (merchant) => html`Ya no sirve para pagar. Pida uno nuevo a ${merchant}.`,
    canceled: (merchant) => html`${merchant} lo ha retirado. No envíe dinero por él.`,
    used_up: (merchant) =>
      html`Ya se han recibido todos sus pagos. No envíe dinero, por favor. Si ya lo ha enviado o todavía tiene que pagar, póngase en contacto con ${merchant}.`,
  },
  simulate: 'Simular el banco',
  simulateNote: 'Esto es una prueba: no se mueve dinero real. Elija lo que comunica el banco.',
  outcome: { exact: 'Pagar exacto', partial: 'Pagar en parte', twice: 'Pagar dos veces', fail: 'Fallar' },
  onceMore: 'Pagar otra vez',
  copy: 'Copiar',
  copyOf: (label) => `Copiar: ${label}`,
  copied: 'Copiado',
  notice: {
    amount_invalid: 'Esto no es un importe. Escriba cifras, por ejemplo 12,50.',
    amount_too_small: 'Este importe es demasiado pequeño.',
    amount_too_large: 'Este importe es demasiado grande.',
    form_expired: 'Esta página ha estado abierta demasiado tiempo y no se ha enviado nada. Inténtelo de nuevo.',
    already_paid: 'Esto ya está pagado. No queda nada por pagar.',
    card_unavailable: 'El pago con tarjeta no está disponible ahora. Elija otra forma o inténtelo más tarde.',
    try_again: 'No ha funcionado. Inténtelo de nuevo.',
  },
  fault: {
    not_found: {
      title: 'Aquí no hay ninguna página de pago',
      text: 'Compruebe que el enlace está completo o pregunte a quien se lo envió.',
    },
    too_many: { title: 'Demasiadas solicitudes', text: 'Espere un minuto y vuelva a cargar esta página.' },
    unavailable: {
      title: 'Esta página no está disponible ahora',
      text: 'El fallo es nuestro, no suyo. Vuelva a cargar esta página dentro de un minuto.',
    },
  },
};
