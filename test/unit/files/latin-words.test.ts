import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { detectEncoding } from '../../../lib/files/sniff/encoding.ts'

const CENTRAL = {
  Polish: 'Pracownik;Miejscowość;Opis\nŁukasz Wójcik;Łódź;Wózek widłowy, żółty\nPaweł Żak;Gdańsk;Śruba główna\n',
  Czech: 'Jméno;Město;Poznámka\nJiří Novák;Plzeň;Řezání dřeva\nZdeněk Černý;České Budějovice;Růžena Malá\n',
  Slovak: 'Meno;Mesto;Poznámka\nĽubomír Kováč;Košice;Čerešňová\nZuzana Hudáková;Žilina;Dĺžka vodiča\n',
  Hungarian: 'Név;Város;Megjegyzés\nKovács Gergő;Győr;Fűtőtest csere\nSzűcs Ágnes;Szőreg;Vízvezeték javítás, sürgős\n',
  Croatian: 'Ime;Mjesto;Napomena\nŽeljko Čavić;Šibenik;Đurđevac, vozač\nAnđela Đukić;Požega;Čišćenje žlijeba\n',
  Slovene: 'Ime;Kraj\nŠpela Žagar;Šmarje\nMatjaž Čeh;Črnomelj\nBarbara Krošelj;Žužemberk\n',
  Romanian: 'Nume;Oraş\nŞtefan Ţurcanu;Iaşi\nMihăiţă Ionescu;Constanţa\nAlina Năstase;Bucureşti\n',
}
const WESTERN = {
  German: 'Name;Ort;Menge\nJürgen Groß;Köln;12 m³\nKäthe Möller;Düsseldorf;5 m²\n',
  French: 'Nom;Ville;Voiture\nHélène Lefèvre;Orléans;Škoda, modèle «été»\nFrançois Noël;Béziers;où, août, sûr\n',
  Spanish: 'Nombre;Piso;Duda\nÍñigo Muñoz;1º;¿qué?\nSofía Agüero;3ª;¡sí!\n',
  Italian: 'Nome;Città;Nota\nNicolò Però;Forlì;perché più\nGarcía Muñoz;Cefalù;cioè, caffè\n',
  Portuguese: 'Nome;Cidade\nJoão Conceição;São Paulo\nInês Gonçalves;Camões, põe\n',
  Danish: 'Navn;By\nSøren Ærø;Ålborg\nBjørn Sørensen;Næstved\n',
  Icelandic: 'Nafn;Staður\nÞórður Æsa;Höfn\nGuðrún Ýr;Ísafjörður\n',
  'English with signs': 'Sample;Unit;Price;Owner\nA;µS/cm;£12;©Acme\nB;µg;£3;®Brand\nC;°C;£4.50;±2\n',
}

const readBack = (text: string, encoding: string): string => {
  const bytes = iconv.encode(text, encoding)
  return iconv.decode(bytes, detectEncoding(bytes).name)
}

describe('the text of a file without a mark of its encoding', () => {
  it.each(Object.entries(CENTRAL))('in %s is read as written in windows-1250 and ISO-8859-2', (_, text) => {
    for (const encoding of ['windows-1250', 'iso-8859-2']) expect(readBack(text, encoding)).toBe(text)
  })
  it('in Turkish is read as written in windows-1254 and ISO-8859-9', () => {
    const text = 'Ad;Şehir\nGülşah Yıldız;İzmir\nÇağrı Öztürk;Muğla\n'
    for (const encoding of ['windows-1254', 'iso-8859-9']) expect(readBack(text, encoding)).toBe(text)
  })
  it.each(Object.entries(WESTERN))('in %s is read as written in windows-1252', (_, text) =>
    expect(readBack(text, 'windows-1252')).toBe(text),
  )
  it('in Polish with Czech and German names is read as written in ISO-8859-2', () => {
    const text = `${CENTRAL.Polish}Jiří Dvořák;Ostrava;Okucia\nJürgen Groß;Görlitz;Świerk, sosna\n`
    expect(readBack(text, 'iso-8859-2')).toBe(text)
  })
  it('in German with a Polish name in windows-1250 keeps its German letters', () => {
    const german = 'Müller;Köln\nJäger;Düren\nGroß;Völklingen\n'
    expect(readBack(`${german}Wałęsa;Gdańsk\n`, 'windows-1250')).toContain(german)
  })
})
