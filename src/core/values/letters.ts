/**
 * What stands for letters that Unicode does not take apart, for their capitals, and for signs: the nearest in Latin letters. Greek and
 * Cyrillic are transliterated. Who writes with it: `iso20022/write/text.ts`. Who compares and finds with it: `paying/recipients/names.ts`, `core/values/words.ts`.
 */
export const STAND_INS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'ß:ss ẞ:SS æ:ae Æ:AE œ:oe Œ:OE ø:o Ø:O đ:d Đ:D ð:d Ð:D þ:th Þ:Th ł:l Ł:L ħ:h Ħ:H ı:i ŋ:n Ŋ:N ŧ:t Ŧ:T ĸ:k ſ:s ə:e Ə:E ' +
    'а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ' +
    'і:i ї:i є:ie ґ:g ў:u ј:j љ:lj њ:nj ћ:c ђ:dj џ:dz ѓ:g ќ:k ѕ:dz ѝ:i ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o ' +
    "’:' ‘:' “:' ”:' \":' `:' ´:' „:' ‚:' –:- —:- _:- ‐:- ‑:- −:- ~:- &:+ @:(at) €:EUR £:GBP $:USD %:. ;:, !:. …:... =:- #:. *:. " +
    '[:( ]:) {:( }:) <:( >:) |:/ \\:/ ª:a º:o №:No °:.'
  )
    .split(' ')
    .flatMap((pair): [string, string][] => {
      const [letter = '', latin = ''] = pair.split(':');
      const upper = letter.toUpperCase();
      const capital: [string, string] = [upper, latin.charAt(0).toUpperCase() + latin.slice(1)];
      return upper.length === 1 && upper !== letter ? [[letter, latin], capital] : [[letter, latin]];
    }),
);
