/** Makes the past participles of verbs of eight languages by the rules of their grammars, and some that do not exist. */

type Rules = readonly (readonly [ending: RegExp, participle: string])[]

function inflect(verb: string, rules: Rules): string[] {
  const rule = rules.find(([ending]) => ending.test(verb))
  return rule ? rule[1].split(' ').map((form) => verb.replace(rule[0], form)) : []
}

const toPairs = (text: string): Map<string, string> =>
  new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]))

function inflectEnglish(verb: string, irregular: ReadonlyMap<string, readonly string[]>): string[] {
  const [first = '', ...others] = verb.split(' ')
  const listed = irregular.get(first)
  const doubled = /[^aeiou][aeiou][bdfglmnprt]$/.test(first) ? [`${first}${first.at(-1)}ed`] : []
  const regular = inflect(first, [
    [/e$/, 'ed'],
    [/(?<=[^aeiou])y$/, 'ied'],
    [/$/, 'ed'],
  ])
  return (listed ?? [...regular, ...doubled]).map((form) => [form, ...others].join(' '))
}

const GERMAN_STRONG = toPairs(
  'backen:backen befehlen:befohlen beginnen:begonnen beißen:bissen bergen:borgen biegen:bogen bieten:boten binden:bunden bitten:beten blasen:blasen bleiben:blieben brechen:brochen brennen:brannt bringen:bracht denken:dacht essen:gessen fahren:fahren fallen:fallen fangen:fangen finden:funden fliegen:flogen fließen:flossen fressen:fressen frieren:froren geben:geben gehen:gangen gelten:golten gießen:gossen graben:graben greifen:griffen halten:halten hängen:hangen hauen:hauen heben:hoben heißen:heißen helfen:holfen kennen:kannt klingen:klungen kommen:kommen laden:laden lassen:lassen laufen:laufen leiden:litten leihen:liehen lesen:lesen liegen:legen lügen:logen meiden:mieden messen:messen nehmen:nommen nennen:nannt pfeifen:pfiffen raten:raten reißen:rissen reiten:ritten rennen:rannt rufen:rufen schaffen:schaffen scheiden:schieden scheinen:schienen schieben:schoben schießen:schossen schlafen:schlafen schlagen:schlagen schließen:schlossen schmelzen:schmolzen schneiden:schnitten schreiben:schrieben schreiten:schritten schweigen:schwiegen schwimmen:schwommen schwingen:schwungen sehen:sehen senden:sandt singen:sungen sinken:sunken sitzen:sessen sprechen:sprochen springen:sprungen stechen:stochen stehen:standen stehlen:stohlen steigen:stiegen sterben:storben stoßen:stoßen streichen:strichen streiten:stritten tragen:tragen treffen:troffen treiben:trieben treten:treten trinken:trunken tun:tan wachsen:wachsen waschen:waschen weisen:wiesen wenden:wandt werben:worben werden:worden werfen:worfen wiegen:wogen wissen:wusst ziehen:zogen zwingen:zwungen',
)
const GERMAN_PREFIXES =
  /^(?:entgegen|herunter|zusammen|bereit|fertig|heraus|hervor|hinaus|hinter|nieder|voraus|vorbei|weiter|wieder|zurück|bevor|durch|empor|gegen|hinzu|statt|still|unter|bloß|fehl|fern|fest|fort|frei|heim|hoch|nach|teil|über|auf|aus|bei|dar|ein|gut|her|hin|los|mit|tot|vor|weg|ab|an|um|zu)(?=..)/
const GERMAN_FIXED = /^(?:be|emp|ent|er|ge|miss|ver|zer|über|unter|wider|hinter|voll|durch|um|wieder)(?=...)/

function listBases(verb: string, prefix: string, fixed: RegExp): (readonly [before: string, base: string])[] {
  const separated = prefix === '' ? [] : [[prefix, verb.slice(prefix.length)] as const]
  return prefix === '' || fixed.test(verb) ? [['', verb] as const, ...separated] : separated
}

function inflectGerman(verb: string): string[] {
  const prefix = GERMAN_PREFIXES.exec(verb)?.[0] ?? ''
  return listBases(verb, prefix, GERMAN_FIXED).flatMap(([before, base]) => {
    const strong = GERMAN_STRONG.get(base)
    if (strong) return [`${before}ge${strong}`]
    const stem = base.replace(/e?n$/, '')
    const weak = /(?:[dt]|[^lrhaeiou][mn])$/.test(stem) ? `${stem}et` : `${stem}t`
    if (stem.endsWith('ier')) return [`${before}${stem}t`]
    const fixed = GERMAN_FIXED.exec(base)?.[0]
    const fixedStrong = fixed === undefined ? undefined : GERMAN_STRONG.get(base.slice(fixed.length))
    if (fixedStrong) return [`${before}${fixed}${fixedStrong}`]
    return fixed === undefined ? [`${before}ge${weak}`] : [`${before}${weak}`]
  })
}

const DUTCH_STRONG = toPairs(
  'bieden:boden bijten:beten binden:bonden blazen:blazen blijven:bleven breken:broken brengen:bracht buigen:bogen denken:dacht doen:daan dragen:dragen drijven:dreven drinken:dronken eten:geten gaan:gaan geven:geven gieten:goten grijpen:grepen hangen:hangen hebben:had heffen:heven helpen:holpen houden:houden kiezen:kozen kijken:keken komen:komen kopen:kocht krijgen:kregen laden:laden laten:laten lezen:lezen lijden:leden lopen:lopen meten:meten nemen:nomen rijden:reden roepen:roepen schenken:schonken scheiden:scheiden schieten:schoten schrijven:schreven schuiven:schoven slaan:slagen slapen:slapen sluiten:sloten snijden:sneden spreken:sproken springen:sprongen staan:staan steken:stoken stelen:stolen sterven:storven stijgen:stegen treffen:troffen treden:treden trekken:trokken vallen:vallen vangen:vangen varen:varen vechten:vochten verliezen:verloren vinden:vonden vliegen:vlogen vragen:vraagd vriezen:vroren wassen:wassen wegen:wogen werpen:worpen werven:worven weten:weten wijzen:wezen winnen:wonnen worden:worden zeggen:zegd zenden:zonden zien:zien zitten:zeten zoeken:zocht zwijgen:zwegen',
)
const DUTCH_PREFIXES =
  /^(?:achter|binnen|dicht|klaar|kwijt|onder|samen|tegen|terug|voort|door|goed|neer|over|rond|stil|stop|vast|voor|weer|aan|bij|los|mee|toe|uit|vol|weg|af|in|na|om|op)(?=..)/
const DUTCH_FIXED = /^(?:be|ge|her|ont|ver|er|mis|over|onder|door|voor|om|aan)(?=...)/

function toDutchStem(base: string): string {
  const open = base.replace(/(?:e?n)$/, '')
  if (/([^aeiou])\1$/.test(open)) return open.slice(0, -1)
  const isUnstressed = /[aeiou].*(?:e[lrmn]|i[gk])$/.test(open)
  const long = isUnstressed ? open : open.replace(/(?<![aeiou])([aeou])([^aeiouy])$/, '$1$1$2')
  return long.replace(/v$/, 'f').replace(/z$/, 's')
}

function inflectDutch(verb: string): string[] {
  const prefix = DUTCH_PREFIXES.exec(verb)?.[0] ?? ''
  return listBases(verb, prefix, DUTCH_FIXED).flatMap(([before, base]) => {
    const strong = DUTCH_STRONG.get(base)
    if (strong) return [`${before}ge${strong}`]
    const fixed = DUTCH_FIXED.exec(base)?.[0]
    const fixedStrong = fixed === undefined ? undefined : DUTCH_STRONG.get(base.slice(fixed.length))
    if (fixedStrong) return [`${before}${fixed}${fixedStrong}`]
    const stem = toDutchStem(base)
    const written = /[td]$/.test(stem) ? stem : /(?:[kfspx]|ch)en$/.test(base) ? `${stem}t` : `${stem}d`
    return [fixed === undefined ? `${before}ge${written}` : `${before}${written}`]
  })
}

const FRENCH: Rules = [
  [/cevoir$/, 'çu'],
  [/voir$/, 'vu'],
  [/(?<=[tv])enir$/, 'enu'],
  [/(?<=v|fr|uv)rir$/, 'ert'],
  [/ouvrir$/, 'ouvert'],
  [/(?<=ff)rir$/, 'ert'],
  [/courir$/, 'couru'],
  [/mourir$/, 'mort'],
  [/quérir$/, 'quis'],
  [/vêtir$/, 'vêtu'],
  [/ir$/, 'i'],
  [/mettre$/, 'mis'],
  [/battre$/, 'battu'],
  [/prendre$/, 'pris'],
  [/(?<=fai|di)re$/, 't'],
  [/(?<=cri)re$/, 't'],
  [/lire$/, 'lu'],
  [/vivre$/, 'vécu'],
  [/suivre$/, 'suivi'],
  [/(?<=[aeo])indre$/, 'int'],
  [/(?<=u)ire$/, 'it'],
  [/(?<=in)clure$/, 'clus'],
  [/clure$/, 'clu'],
  [/aître$/, 'u'],
  [/soudre$/, 'solu'],
  [/dre$/, 'du'],
  [/(?<=romp|vainc)re$/, 'u'],
  [/er$/, 'é'],
]

const SPANISH: Rules = [
  [/(?<=a)brir$/, 'bierto'],
  [/cubrir$/, 'cubierto'],
  [/decir$/, 'dicho decido'],
  [/(?:scribir)$/, 'scrito'],
  [/hacer$/, 'hecho'],
  [/facer$/, 'fecho'],
  [/poner$/, 'puesto'],
  [/romper$/, 'roto'],
  [/olver$/, 'uelto'],
  [/ver$/, 'visto vido'],
  [/imprimir$/, 'impreso imprimido'],
  [/ar(?:se)?$/, 'ado'],
  [/[eií]r(?:se)?$/, 'ido'],
]

const PORTUGUESE: Rules = [
  [/abrir$/, 'aberto'],
  [/cobrir$/, 'coberto'],
  [/dizer$/, 'dito'],
  [/screver$/, 'scrito'],
  [/fazer$/, 'feito'],
  [/pagar$/, 'pago pagado'],
  [/entregar$/, 'entregue entregado'],
  [/aceitar$/, 'aceito aceite aceitado'],
  [/ganhar$/, 'ganho ganhado'],
  [/suspender$/, 'suspenso suspendido'],
  [/imprimir$/, 'impresso imprimido'],
  [/expulsar$/, 'expulso expulsado'],
  [/p[oô]r$/, 'posto'],
  [/ver$/, 'visto vido'],
  [/ar$/, 'ado'],
  [/[eií]r$/, 'ido'],
]

const ITALIAN: Rules = [
  [/fare$/, 'fatto'],
  [/^(ri|pre|contrad|bene|male|dis|inter)?dire$/, '$1detto $1dito'],
  [/scrivere$/, 'scritto'],
  [/(?<=[lrg]e|rre|fri|stru|di)ggere$/, 'tto'],
  [/(?<=ri)gere$/, 'tto'],
  [/eggere$/, 'etto'],
  [/igere$/, 'atto etto'],
  [/(?<=n)gere$/, 'to'],
  [/(?<=r)gere$/, 'so to'],
  [/(?<=[aeiou])ndere$/, 'so sto'],
  [/(?<=[auei])dere$/, 'so duto'],
  [/ettere$/, 'esso ettuto'],
  [/primere$/, 'presso'],
  [/umere$/, 'unto'],
  [/olvere$/, 'olto oluto'],
  [/cedere$/, 'ceduto cesso'],
  [/durre$/, 'dotto'],
  [/porre$/, 'posto'],
  [/trarre$/, 'tratto'],
  [/gliere$/, 'lto'],
  [/(?<=[ap]|co)prire$/, 'perto'],
  [/ffrire$/, 'fferto'],
  [/venire$/, 'venuto'],
  [/vedere$/, 'visto veduto'],
  [/chiedere$/, 'chiesto'],
  [/vincere$/, 'vinto'],
  [/rompere$/, 'rotto'],
  [/muovere$/, 'mosso'],
  [/correre$/, 'corso'],
  [/rimanere$/, 'rimasto'],
  [/are(?:si)?$/, 'ato'],
  [/ire(?:si)?$/, 'ito'],
  [/ere(?:si)?$/, 'uto'],
]

const POLISH: Rules = [
  [/(?<=ow|yw|iw)ać$/, 'any'],
  [/ać$/, 'any'],
  [/nąć$/, 'nięty'],
  [/ąć$/, 'ęty'],
  [/rzeć$/, 'arty'],
  [/ieć$/, 'iany'],
  [/eć$/, 'any'],
  [/(?<=sz|cz|ż|rz)yć$/, 'ony'],
  [/yć$/, 'yty'],
  [/ścić$/, 'szczony'],
  [/sić$/, 'szony'],
  [/zić$/, 'żony'],
  [/dzić$/, 'dzony'],
  [/cić$/, 'cony'],
  [/lić$/, 'lony'],
  [/ić$/, 'iony'],
  [/uć$/, 'uty'],
]

const ROMANCE_ENDINGS = ['o', 'a']

const withEndings = (forms: readonly string[], endings: readonly string[]): string[] =>
  forms.flatMap((form) => (/[oy]$/.test(form) ? endings.map((ending) => form.slice(0, -1) + ending) : [form]))

/** Without its accent, `facturé` would be an invoice. */
const ACUTE = 'e acute'

export function listParticiples(
  language: string,
  verb: string,
  irregular: ReadonlyMap<string, readonly string[]>,
): string[] {
  switch (language) {
    case 'en':
      return inflectEnglish(verb, irregular)
    case 'de':
      return /^\p{Ll}+n$/u.test(verb)
        ? inflectGerman(verb).flatMap((form) => withAdjectives(form, ['e', 'er', 'es', 'en']))
        : []
    case 'nl':
      return /^\p{Ll}+n$/u.test(verb) ? inflectDutch(verb).flatMap((form) => withAdjectives(form, ['e'])) : []
    case 'fr':
      return inflect(verb.replace(/^(?:se |s['’])/, ''), FRENCH).flatMap((form) => [
        form.replace(/é$/, ACUTE),
        `${form}e`,
      ])
    case 'es':
      return withEndings(inflect(verb, SPANISH), ROMANCE_ENDINGS)
    case 'pt':
      return withEndings(inflect(verb.replace(/-se$/, ''), PORTUGUESE), ROMANCE_ENDINGS)
    case 'it':
      return withEndings(inflect(verb, ITALIAN), ['o', 'a', 'i', 'e'])
    case 'pl':
      return withEndings(inflect(verb.replace(/ się$/, ''), POLISH), ['y', 'a', 'e', 'o', 'i'])
    default:
      return []
  }
}

const withAdjectives = (form: string, endings: readonly string[]): string[] =>
  form.endsWith('en') && endings.length === 1 ? [form] : [form, ...endings.map((ending) => form + ending)]
