/**
 * What common business columns are called, in the languages their files come in. Each row is one meaning; every name of it
 * counts the same. Names are compared by their words (words.ts), so case, accents and punctuation need no variants here.
 */
import { meaningfulWords } from './words.ts'

const MEANINGS = `
first name, given name, forename, fname, first, vorname, prenom, nombre, nome proprio, voornaam, primeiro nome, christian name
last name, surname, family name, lname, last, nachname, familienname, nom famille, apellido, cognome, achternaam, sobrenome
middle name, second name, mname, zweiter vorname, deuxieme prenom, segundo nombre
full name, name, display name, complete name, vollstandiger name, nom complet, nombre completo, contact name, naam
email, e mail, mail, email address, mail address, e mail address, emailadresse, e mail adresse, courriel, adresse mail, adresse email, correo, correo electronico, e mailadres, posta elettronica
phone, telephone, tel, phone number, telephone number, phone no, telefon, telefonnummer, telefono, telefoon, telefoonnummer, telefone, numero telephone, tel number
mobile, mobile phone, cell, cell phone, cellphone, mobile number, handy, handynummer, mobil, mobilnummer, portable, movil, celular, cellulare
fax, fax number, telefax, faxnummer
company, company name, organization, organisation, organization name, employer, business name, firma, firmenname, unternehmen, societe, entreprise, empresa, azienda, bedrijf, account name
job title, title, position, role, occupation, beruf, stelle, berufsbezeichnung, poste, fonction, cargo, puesto, functie
salutation, honorific, name prefix, anrede, civilite, tratamiento, aanhef
department, dept, division, abteilung, departement, departamento, reparto, afdeling
address, street, street address, address line, address line 1, address 1, addr, strasse, anschrift, adresse, rue, direccion, calle, indirizzo, via, straat, adres, endereco, rua
address line 2, address 2, street 2, apartment, apt, suite, unit number, adresszusatz, complement adresse
house number, hausnummer, street number, numero rue, huisnummer, hausnr
city, town, locality, stadt, ort, wohnort, ville, ciudad, citta, stad, plaats, cidade, municipality
state, province, region, county, bundesland, kanton, canton, provincia, provincie, estado, state province
zip, zip code, zipcode, postal code, postcode, post code, plz, postleitzahl, code postal, codigo postal, cap, cep
country, nation, country name, country code, land, staat, pays, pais, paese
date birth, birth date, birthdate, birthday, dob, born, geburtsdatum, geburtstag, date naissance, fecha nacimiento, data nascita, geboortedatum
gender, sex, geschlecht, genre, sexe, genero, sexo, genere, geslacht
age, alter, edad, leeftijd, eta
website, web site, url, web, homepage, site web, webseite, web address, sitio web, internetseite
id, identifier, uid, uuid, record id, external id, kennung, identifiant, identificador
customer id, customer number, client id, client number, account number, kundennummer, kunden number, numero client, klantnummer
employee id, employee number, personnel number, staff id, mitarbeiternummer, personalnummer, matricule
order id, order number, order no, po number, purchase order, bestellnummer, auftragsnummer, numero commande, numero pedido
invoice number, invoice id, invoice no, rechnungsnummer, numero facture, factuurnummer
sku, product id, product code, product number, item number, item code, article number, artikelnummer, part number, mpn, reference produit
product name, product, item, item name, article, artikel, produkt, produit, producto, prodotto
barcode, ean, gtin, upc
quantity, qty, amount items, count, units, menge, anzahl, stuck, quantite, cantidad, quantita, aantal, quantidade
price, unit price, cost, rate, preis, einzelpreis, stuckpreis, prix, prix unitaire, precio, prezzo, prijs, preco
amount, total, sum, total amount, total price, betrag, summe, gesamtbetrag, montant, importe, importo, bedrag, valor
currency, currency code, wahrung, devise, moneda, valuta, moeda
tax, vat, sales tax, mwst, ust, mehrwertsteuer, tva, iva, btw
vat number, vat id, tax id, tax number, tin, ein, ust id, ust id number, steuernummer, numero tva, nif, partita iva
discount, rebate, rabatt, remise, descuento, sconto, korting
date, datum, fecha, data, day
start date, begin date, from date, effective date, startdatum, beginn, date debut, fecha inicio, begindatum
end date, finish date, to date, expiration date, expiry date, enddatum, ende, date fin, fecha fin, einddatum
hire date, date hired, joining date, joined, date joined, eintrittsdatum, einstellungsdatum, date embauche, employment start
created, created at, creation date, date created, erstellt, erstelldatum, date creation, created on
updated, updated at, modified, last modified, date modified, geandert, modified at, changed
due date, payment due, falligkeit, falligkeitsdatum, date echeance, vervaldatum
status, state record, stage, zustand, statut, estado registro, stato
type, kind, art, typ, tipo, soort
category, group, class, kategorie, gruppe, categorie, categoria, segment
description, desc, details, summary, beschreibung, bezeichnung, descripcion, descrizione, omschrijving, descricao
notes, note, comment, comments, remark, remarks, memo, bemerkung, notiz, kommentar, anmerkung, remarque, commentaire, comentario, opmerking, observaciones
salary, wage, pay, compensation, gehalt, lohn, salaire, salario, stipendio, salaris
manager, supervisor, reports to, vorgesetzter, responsable, gerente, leidinggevende
owner, assigned to, responsible, account owner, besitzer, zustandig, proprietaire, propietario
language, locale, lang, sprache, langue, idioma, lingua, taal
iban, bank account, account iban, kontonummer, bankverbindung, compte bancaire
bic, swift, swift code, bank code, blz, bankleitzahl
weight, gewicht, poids, peso
latitude, lat, breitengrad
longitude, lng, lon, long, langengrad
active, is active, enabled, aktiv, actif, activo, actief
`

/** Long forms of words and how they are shortened inside longer names; the long form is what is compared. */
const SHORT_FORMS = `
number: no, nr, num, nummer, numero, numer
address: addr, adr, adresse
phone: tel, telephone, telefon, ph
quantity: qty
amount: amt
description: desc
department: dept
organization: org, organisation
customer: cust, client, kunde, kunden
employee: emp
manager: mgr
account: acct
company: co
birthdate: dob
year: yr
month: mo
category: cat
reference: ref
invoice: inv
product: prod
id: identifier
date: datum, dt, fecha
zip: postal, post, postcode, zipcode
email: mail
begin: start
expiry: expiration
`

const linesOf = (text: string): string[] => text.trim().split('\n')

const keyOf = (words: readonly string[]): string => words.join('')

const meaningByName = new Map<string, number>()
for (const [meaning, names] of linesOf(MEANINGS).entries()) {
  for (const name of names.split(', ')) {
    const key = keyOf(meaningfulWords(name))
    if (!meaningByName.has(key)) meaningByName.set(key, meaning)
  }
}

const longForms = new Map(
  linesOf(SHORT_FORMS).flatMap((line) => {
    const [long = '', shorts = ''] = line.split(': ')
    return shorts.split(', ').map((short) => [short, long] as const)
  }),
)

/** The number of the meaning a name has, or undefined for a name that is not among the known ones. */
export const meaningOf = (words: readonly string[]): number | undefined => meaningByName.get(keyOf(words))

/** The meaning a known name stands for, by any of its names. */
export const meaningNamed = (name: string): number | undefined => meaningOf(meaningfulWords(name))

/** A word's long form. */
export const longForm = (word: string): string => longForms.get(word) ?? word
