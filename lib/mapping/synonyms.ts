/**
 * Names of common business columns in several languages. Each row is one meaning; a name in several rows is ambiguous.
 * Names are compared by words (tokenize.ts), so case, accents and punctuation need no variants.
 */
import { meaningfulWords } from './tokenize.ts'

const MEANINGS = `
first name, given name, forename, fname, first, vorname, prenom, nombre, nome proprio, voornaam, primeiro nome, christian name
last name, surname, family name, lname, last, nachname, familienname, nom, nom famille, apellido, cognome, achternaam, sobrenome
middle name, second name, mname, zweiter vorname, deuxieme prenom, segundo nombre
full name, name, display name, complete name, vollstandiger name, nom complet, nombre completo, contact name, person name, naam
email, e mail, mail, email address, mail address, e mail address, emailadresse, e mail adresse, courriel, adresse mail, adresse email, correo, correo electronico, e mailadres, posta elettronica
phone, telephone, tel, phone number, telephone number, phone no, telefon, telefonnummer, telefono, telefoon, telefoonnummer, telefone, numero telephone, tel number, landline, business phone, work phone, festnetz
mobile, mobile phone, cell, cell phone, cellphone, mobile number, handy, handynummer, mobil, mobilnummer, portable, tel portable, movil, telefono movil, celular, cellulare
fax, fax number, telefax, faxnummer
company, company name, organization, organisation, organization name, employer, business name, firma, firmenname, unternehmen, societe, entreprise, empresa, azienda, bedrijf, account name, raison sociale, ragione sociale
job title, title, position, role, job, occupation, job role, beruf, stelle, stellenbezeichnung, berufsbezeichnung, funktion, poste, fonction, intitule poste, cargo, puesto, functie
salutation, honorific, name prefix, title, anrede, civilite, tratamiento, aanhef
department, dept, division, abteilung, departement, service, departamento, reparto, afdeling
address, street, street address, address line, address line 1, address 1, street 1, addr, strasse, anschrift, adresse, rue, direccion, calle, indirizzo, via, straat, adres, endereco, rua
address line 2, address 2, street 2, apartment, apt, suite, unit number, adresszusatz, complement adresse
house number, hausnummer, street number, numero rue, huisnummer, hausnr
city, town, locality, stadt, ort, wohnort, ville, ciudad, citta, stad, plaats, cidade, municipality, comune, commune
state, province, region, county, bundesland, kanton, canton, provincia, provincie, estado, state code, province code, region code
zip, zip code, zipcode, postal code, postcode, post code, plz, postleitzahl, code postal, codigo postal, cap, cep
country, nation, country name, country code, land, staat, pays, pais, paese, landescode, iso country
date birth, birth date, birthdate, birthday, dob, born, geburtsdatum, geburtstag, geb datum, geboren am, date naissance, ne le, fecha nacimiento, data nascita, geboortedatum
gender, sex, geschlecht, genre, sexe, genero, sexo, genere, geslacht
age, alter, edad, leeftijd, eta
website, web site, url, web, web page, homepage, website url, link, internet, site web, site internet, webseite, web address, sitio web, internetseite, pagina web
id, identifier, uid, uuid, record id, external id, kennung, identifiant, identificador
customer id, customer number, client id, client number, account number, kundennummer, kunden number, numero client, numero cliente, klantnummer
employee id, employee number, personnel number, staff id, worker id, personalnummer, mitarbeiternummer, matricule, numero empleado, personeelsnummer
order id, order number, order no, po number, purchase order, bestellnummer, auftragsnummer, numero commande, numero pedido
invoice number, invoice id, invoice no, bill number, rechnungsnummer, belegnummer, numero facture, numero factura, factuurnummer
transaction id, transaction number, transaction reference, buchungsnummer, numero operation, id transaction
ticket id, ticket number, issue id, issue key, issue number, case number, case id, incident number, vorgangsnummer
tracking number, tracking no, tracking id, awb, waybill, waybill number, sendungsnummer, paketnummer, numero suivi, numero seguimiento
sku, product id, product code, product number, product sku, item number, item code, item sku, article number, artikelnummer, part number, mpn, stock code, reference produit
product name, product, item, item name, name, title, article, artikel, artikelname, artikelbezeichnung, bezeichnung, produkt, produit, producto, prodotto, designation
barcode, ean, gtin, upc, ean code, strichcode, code barre, codigo barra
brand, brand name, vendor, manufacturer, make, hersteller, marke, marque, fabricant, marca, fabricante, merk
image url, image, picture, photo, image link, image src, picture url, photo url, bild, bild url, foto, imagen
quantity, qty, amount items, count, units, quantity ordered, menge, anzahl, stuck, quantite, cantidad, quantita, aantal, quantidade
stock, quantity, qty, inventory, stock quantity, inventory quantity, inventory qty, in stock, units in stock, quantity on hand, stock level, bestand, lagerbestand, stock disponible, existencias, voorraad
price, unit price, rate, regular price, list price, selling price, sale price, retail price, preis, einzelpreis, stuckpreis, verkaufspreis, vk preis, prix, prix unitaire, prix vente, precio, precio unitario, prezzo, prijs, preco
cost, unit cost, cost price, cost per item, purchase price, einkaufspreis, ek preis, prix achat, costo, coste, inkoopprijs
compare at price, msrp, rrp, uvp, original price, was price, prix conseille
amount, total, sum, value, betrag, summe, montant, importe, importo, bedrag, valor, monto
total amount, total, grand total, order total, invoice total, total price, amount total, gross amount, gross total, gesamtbetrag, gesamtsumme, rechnungsbetrag, montant total, montant ttc, total ttc, importe total, totale, totaal
net amount, subtotal, sub total, net total, amount net, zwischensumme, sous total, montant ht, total ht, importe neto, base imponible, imponibile
currency, currency code, wahrung, waehrung, devise, moneda, divisa, valuta, moeda
tax, vat, sales tax, tax amount, vat amount, tax total, total tax, mwst, ust, mehrwertsteuer, umsatzsteuer, steuerbetrag, tva, montant tva, iva, importe iva, btw
vat number, vat id, tax id, tax number, tin, ein, ust id, ust id number, ust idnr, steuernummer, numero tva, nif, partita iva
discount, discount amount, rebate, rabatt, remise, descuento, sconto, korting
shipping cost, shipping, shipping price, shipping fee, shipping amount, freight, freight cost, postage, delivery fee, delivery cost, versandkosten, frais port, frais livraison, gastos envio
payment method, payment type, paid by, zahlungsart, zahlungsmethode, mode paiement, moyen paiement, forma pago, metodo pago
fee, fees, processing fee, transaction fee, gebuhr, frais, comision, commissione
balance, account balance, running balance, saldo, kontostand, solde
counterparty, payee, payer, beneficiary, merchant, sender receiver, name, empfanger, auftraggeber, begunstigter, beguenstigter, beneficiaire, beneficiario, tiers
date, datum, fecha, data, day, transaction date, posting date, booking date, buchungstag, buchungsdatum, date operation, fecha operacion
start date, begin date, from date, effective date, startdatum, beginn, date debut, fecha inicio, begindatum
end date, finish date, to date, expiration date, expiry date, enddatum, ende, date fin, fecha fin, einddatum
hire date, date hired, joining date, joined, date joined, date hire, start employment, eintrittsdatum, einstellungsdatum, eintritt, date embauche, date entree, fecha contratacion, fecha ingreso, employment start
termination date, leaving date, leave date, exit date, date termination, last day work, end employment, austrittsdatum, austritt, date sortie, date depart, fecha baja, fecha salida
order date, purchase date, date order, date ordered, ordered at, bestelldatum, auftragsdatum, date commande, fecha pedido
invoice date, bill date, billing date, date invoice, rechnungsdatum, belegdatum, date facture, fecha factura
payment date, paid on, paid at, date paid, date payment, zahlungsdatum, bezahlt am, date paiement, date reglement, fecha pago
ship date, shipped date, shipped on, shipped at, shipping date, date shipped, dispatch date, versanddatum, date expedition, fecha envio
delivery date, delivered on, delivered at, delivered, date delivered, delivered date, lieferdatum, zustelldatum, date livraison, fecha entrega
created, created at, creation date, date created, create date, created date, creation time, erstellt, erstellt am, erstelldatum, angelegt am, date creation, fecha creacion, fecha alta, created on
updated, updated at, modified, last modified, date modified, last updated, updated date, modification date, modified date, geandert, geandert am, modified at, changed, date modification, fecha modificacion
resolved, resolved at, solved at, closed at, closed, date closed, resolution date, completed at, erledigt am, geschlossen am, date cloture
due date, payment due, due on, falligkeit, falligkeitsdatum, faelligkeitsdatum, fallig am, date echeance, fecha vencimiento, vervaldatum
status, state record, state, stage, zustand, statut, estado, estado registro, stato
priority, prio, urgency, prioritat, priorite, prioridad
type, kind, art, typ, tipo, soort
employment type, employment status, worker type, contract type, employee type, vertragsart, beschaftigungsart, anstellungsart, type contrat, tipo contrato
category, group, class, product category, product group, product type, kategorie, gruppe, warengruppe, produktgruppe, categorie, categoria, segment
tags, tag, labels, keywords, schlagworte, stichworte, etiquette, etiqueta
subject, summary, headline, topic, title, betreff, objet, asunto, oggetto
description, desc, details, summary, body, long description, langtext, beschreibung, bezeichnung, descripcion, descrizione, omschrijving, descricao, memo, purpose, libelle, verwendungszweck, buchungstext, concepto
notes, note, comment, comments, remark, remarks, memo, description, bemerkung, notiz, kommentar, anmerkung, remarque, commentaire, comentario, opmerking, observaciones, observacion
assignee, assigned to, assigned agent, agent, bearbeiter, zugewiesen an, assigne a, asignado a
requester, reporter, author, submitter, submitted by, created by, opened by, raised by, requested by, melder, antragsteller, demandeur, solicitante
recipient name, recipient, ship to name, ship to, shipping name, consignee, empfanger, empfangername, destinataire, destinatario
customer name, customer, client, client name, buyer, buyer name, bill to name, billing name, bill to, sold to, kunde, kundenname, nom client, acheteur, nombre cliente, cliente, klant
carrier, carrier name, courier, shipping carrier, shipping company, spediteur, transporteur, versanddienstleister, transportista
salary, wage, pay, compensation, base salary, annual salary, pay rate, base pay, monthly income, gross salary, gehalt, lohn, bruttogehalt, monatsgehalt, jahresgehalt, grundgehalt, salaire, salaire brut, salario, salario bruto, sueldo, stipendio, salaris
manager, supervisor, reports to, reporting to, manager name, line manager, vorgesetzte, vorgesetzter, responsable, superieur, jefe, gerente, leidinggevende
owner, assigned to, responsible, account owner, contact owner, besitzer, zustandig, proprietaire, propietario
location, work location, office, site, workplace, standort, arbeitsort, lieu, lieu travail, ubicacion, lugar trabajo, sede, vestiging
language, locale, lang, sprache, langue, idioma, lingua, taal
iban, bank account, account iban, kontonummer, bankverbindung, compte bancaire
bic, swift, swift code, bank code, blz, bankleitzahl
weight, gewicht, poids, peso, gram, weight kg, weight lb
latitude, lat, breitengrad
longitude, lng, lon, long, langengrad
elevation, altitude, height above sea, hohe, altitud
time zone, timezone, tz, zeitzone, fuseau horaire, zona horaria
active, is active, enabled, aktiv, actif, activo, actief
`

const SHORT_FORMS = `
number: no, nr, num, nummer, numero, numer
address: addr, adr, adresse
phone: tel, telephone, telefon, ph
quantity: qty
amount: amt, betrag, montant, importe, importo, bedrag
total: gesamt, totale, totaal
net: netto, neto, ht
gross: brutto, brut, bruto, ttc
tax: vat, steuer, tva, iva, mwst, ust, btw
price: preis, prix, precio, prezzo, prijs
cost: kosten, costo, coste, cout
description: desc, beschreibung, descripcion
department: dept
organization: org, organisation
customer: cust, client, kunde, kunden, cliente, klant, buyer
employee: emp, mitarbeiter, empleado, employe
manager: mgr
account: acct, konto, compte, cuenta
company: co
birthdate: dob
birth: geburt, geb, naissance, nacimiento, nascita
year: yr
month: mo
category: cat
reference: ref, referenz, referencia
invoice: inv, rechnung, facture, factura, fattura, factuur
order: ord, bestell, bestellung, auftrag, commande, pedido, bestelling
payment: zahlung, paiement, pago, pagamento, betaling
delivery: lieferung, liefer, livraison, entrega, consegna
shipping: ship, shipment, versand, expedition, envio, recipient
billing: bill
item: lineitem, artikel, articulo
product: prod, produkt, produit, producto, prodotto
due: fallig, falligkeit, faelligkeit, echeance, vencimiento
hire: hired, eintritt, embauche
created: create, creation, erstellt, creacion
updated: update, modified, modification
id: identifier
date: datum, dt, fecha
zip: postal, post, postcode, zipcode
email: mail
begin: start, debut, inicio
end: fin, ende
expiry: expiration
`

const splitLines = (text: string): string[] => text.trim().split('\n')

const buildKey = (words: readonly string[]): string => words.join('')

const meaningsByName = new Map<string, number[]>()
for (const [meaning, names] of splitLines(MEANINGS).entries()) {
  for (const name of names.split(', ')) {
    const key = buildKey(meaningfulWords(name))
    const existing = meaningsByName.get(key)
    if (!existing) meaningsByName.set(key, [meaning])
    else if (!existing.includes(meaning)) existing.push(meaning)
  }
}

const longForms = new Map(
  splitLines(SHORT_FORMS).flatMap((line) => {
    const [long = '', shortForms = ''] = line.split(': ')
    return shortForms.split(', ').map((short) => [short, long] as const)
  }),
)

const NO_MEANINGS: readonly number[] = []

export const getMeanings = (words: readonly string[]): readonly number[] =>
  meaningsByName.get(buildKey(words)) ?? NO_MEANINGS

export const findMeaning = (name: string): number | undefined => getMeanings(meaningfulWords(name))[0]

export const getLongForm = (word: string): string => longForms.get(word) ?? word

const COMPOUND_ENDINGS =
  /^(\p{L}{3,}?)(?:e?[sn])?(datum|nummer|betrag|name|preis|adresse|ort|land|gruppe|kosten|status|typ|menge|gewicht|steuer)$/u

export function splitCompound(word: string): string[] {
  if (longForms.has(word)) return [getLongForm(word)]
  const [, head, tail] = COMPOUND_ENDINGS.exec(word) ?? []
  if (!head || !tail || !longForms.has(head)) return [word]
  return [getLongForm(head), getLongForm(tail)]
}
