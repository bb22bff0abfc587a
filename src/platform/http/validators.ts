/** How a client says what it takes and what it has already: two headers of HTTP, read as RFC 9110 says. Pure. */

/** RFC 9110, section 12.5.3: named without the weight zero. A star stands for everything that is not named. */
export function takesGzip(encodings = ''): boolean {
  const weights = new Map(
    encodings.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [name, parameters.every((parameter) => !/^q=0(?:\.0*)?$/.test(parameter))];
    }),
  );
  return weights.get('gzip') ?? weights.get('*') ?? false;
}

/** RFC 9110, section 13.1.2: whether the client has this entity tag; the comparison is weak. */
export function isKnown(tag: string, known: string | undefined): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
