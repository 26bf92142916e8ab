/** Values that a person translates (`value > option`), and others, which may only become the option they name, if any. */

export interface OptionList {
  label: string
  options: string
  same: string
  other: string
}

export const OPTION_LISTS: readonly OptionList[] = [
  {
    label: 'Incident type',
    options: 'Fire | Flood | Theft | Vandalism | Storm | Accident',
    same: 'fire > Fire | Feuer > Fire | Brand > Fire | incendie > Fire | incendio > Fire | Überschwemmung > Flood | Flooding > Flood | inondation > Flood | Diebstahl > Theft | vol > Theft | furto > Theft | kradzież > Theft | Sturm > Storm | tempête > Storm | Unfall > Accident | ongeval > Accident | wypadek > Accident | vandalisme > Vandalism',
    other:
      'Fireworks | Firewall | Fire drill | Brainstorm | Storm drain | Identity verification | Floodlight | Snow | Earthquake | Hail | Brandenburg | Brandy | Diebstahlsicherung | Sturmhaube | Unfallversicherung | Backfire | Ceasefire | Fireplace | No accident | Fire extinguisher | Lightning | Volume | Feuerwerk | Feuerwehr | Brandschutz | Bankruptcy',
  },
  {
    label: 'Priority',
    options: 'Low | Medium | High | Urgent',
    same: 'niedrig > Low | mittel > Medium | hoch > High | dringend > Urgent | haute > High | élevée > High | basse > Low | moyenne > Medium | baja > Low | alta > High | media > Medium | urgente > Urgent | bassa > Low | laag > Low | hoog > High | niski > Low | wysoki > High | pilne > Urgent | med > Medium | high priority > High',
    other:
      'Highway | Highlight | Hochzeit | Not urgent | nicht dringend | Mittelmeer | Hochschule | Slow | Follow | Yellow | Below | insurgent | nicht hoch | non urgent | no urgente | hochkant | Niedriglohn | Mediation | Unknown | Highlander | Flow | Allow | niepilne | niet dringend | Mediator | Lowlands | Lowering',
  },
  {
    label: 'Payment method',
    options: 'Cash | Credit card | Bank transfer | Direct debit | PayPal',
    same: 'bar > Cash | Barzahlung > Cash | Kreditkarte > Credit card | Überweisung > Bank transfer | Lastschrift > Direct debit | carte de crédit > Credit card | virement > Bank transfer | espèces > Cash | prélèvement > Direct debit | efectivo > Cash | tarjeta de crédito > Credit card | transferencia bancaria > Bank transfer | contanti > Cash | bonifico > Bank transfer | contant > Cash | dinheiro > Cash | gotówka > Cash | przelew > Bank transfer | karta kredytowa > Credit card | wire transfer > Bank transfer',
    other:
      'Debit card | Gift card | Cashback | Cashew | Barcode | Bargain | Credit note | Bank > Bank transfer | Bank holiday | Store credit | Direct mail | Cheque | Crypto | Postal order | Business card | Bartresen | Prepaid card | Kreditantrag | EC-Karte | Transfer student | Payee | Guthaben | Scheck | tarjeta de débito | tarjeta regalo | carte cadeau | Debit note | Visitenkarte | Loyalty card | Barista | Bankrott | Fahrkarte | No cash | carta di debito',
  },
  {
    label: 'Condition',
    options: 'New | Used | Refurbished | Damaged',
    same: 'neu > New | gebraucht > Used | generalüberholt > Refurbished | beschädigt > Damaged | neuf > New | occasion > Used | endommagé > Damaged | reconditionné > Refurbished | nuevo > New | usado > Used | reacondicionado > Refurbished | usato > Used | nuovo > New | nieuw > New | gebruikt > Used | beschadigd > Damaged | novo > New | danificado > Damaged | nowy > New | używany > Used | uszkodzony > Damaged | second-hand > Used | brand new > New',
    other:
      'verbraucht | Unused | nicht gebraucht | News | Newton | Undamaged | unbeschädigt | neun | nine | non utilisé | missing | Newborn | Confused | Accused | Neubau > New | Neuheit | neutral | lost | sold | missbraucht | Used up | User | Usual | Nuevo León | almost new | neuwertig | quasi neuf | not new | obsolete | expired | nie używany | ongebruikt | no usado | non danneggiato | onbeschadigd',
  },
  {
    label: 'Part of the building',
    options: 'Pipes | Drains | Roof | Windows | Heating | Electrics',
    same: 'Rohre > Pipes | Dach > Roof | Fenster > Windows | Heizung > Heating | Elektrik > Electrics | toit > Roof | toiture > Roof | fenêtres > Windows | chauffage > Heating | tuyaux > Pipes | tejado > Roof | ventanas > Windows | calefacción > Heating | tetto > Roof | finestre > Windows | riscaldamento > Heating | dak > Roof | ramen > Windows | verwarming > Heating | telhado > Roof | janelas > Windows | okna > Windows | ogrzewanie > Heating | Window > Windows | Pipe > Pipes | Drain > Drains',
    other:
      'Drainpipe > Pipes | Sunroof > Roof | Windscreen | Windowsill | Windows 11 | Wind | Dachs | Dachboden | Dachdecker | Dachrinne | Heizöl | Heizkissen | Underfloor heating > Heating | Fensterbank | Fensterputzer | Roofer | Bagpipes | Pipeline | Pipette | Brain drain | Sheath | Overheating | Hot water | Walls | Doors | Rohrzucker | Rohrzange | Electorate | Electronics | Plumber | Chimney | Cheating | Proof | Waterproof | Draining board | Fensterglas | Heizungsbauer | Dachfenster > Windows | Roof window > Windows | Window cleaner | Pipe organ | Strain | Trains | Sheathing',
  },
  {
    label: 'Employment',
    options: 'Employed | Self-employed | Unemployed | Student | Retired',
    same: 'angestellt > Employed | selbstständig > Self-employed | arbeitslos > Unemployed | Rentner > Retired | Studentin > Student | étudiant > Student | retraité > Retired | chômeur > Unemployed | salarié > Employed | indépendant > Self-employed | estudiante > Student | jubilado > Retired | desempleado > Unemployed | autónomo > Self-employed | studente > Student | pensionato > Retired | disoccupato > Unemployed | gepensioneerd > Retired | werkloos > Unemployed | zelfstandig > Self-employed | aposentado > Retired | desempregado > Unemployed | emeryt > Retired | bezrobotny > Unemployed | Pensioner > Retired | jobless > Unemployed',
    other:
      'Not employed > Unemployed | Employer | Arbeitgeber | Unemployable | Tired | Pupil > Student | Schüler > Student | Studentenfutter | Studio | Student housing | Homemaker | Hausfrau | not retired | nicht angestellt | Underemployed | Redeployed | Military | disabled | Carer | Apprentice | Auszubildender | Rentenberater | Deployed | Studienrat | Selbstbedienung | Retirement home | maternity leave | employment agency | Rentier | sans emploi > Unemployed | non salarié > Self-employed | not a student | kein Student | Wehrdienst | Selbsthilfe',
  },
  {
    label: 'Membership',
    options: 'Basic | Silver | Gold | Platinum',
    same: 'Silber > Silver | Platin > Platinum | argent > Silver | platine > Platinum | plata > Silver | oro > Gold | argento > Silver | platino > Platinum | zilver > Silver | goud > Gold | prata > Silver | ouro > Gold | srebro > Silver | złoto > Gold | Basis > Basic | básico > Basic | gold member > Gold | Silver membership > Silver',
    other:
      'Bronze | Goldfish | Marigold | Silverware | Silvester | Goldman | Palladium | Diamond | Rose gold | Premium | Quicksilver | Silverstone | Basically | Basilica | Golf | Goldbarren | Platinenhersteller | Copper | Titanium | Goldgrube | No gold | Argentina | Mold | Old | Sold | Silo | Platoon | Plate | Basel | Silberhochzeit | Goldhamster | Student',
  },
  {
    label: 'Severity',
    options: 'Mild | Moderate | Severe | Critical',
    same: 'leicht > Mild | mäßig > Moderate | schwer > Severe | kritisch > Critical | léger > Mild | modéré > Moderate | grave > Severe | critique > Critical | leve > Mild | moderado > Moderate | crítico > Critical | lieve > Mild | moderato > Moderate | licht > Mild | matig > Moderate | ernstig > Severe | kritiek > Critical | łagodny > Mild | umiarkowany > Moderate | ciężki > Severe | krytyczny > Critical',
    other:
      'Hypercritical | Uncritical | unkritisch | Persevere | Mildred | Mildew | none | stable | Moderator | Immoderate | Leichtathletik | Schwerin | schwerelos | Fatal | Not severe | Critic | Severed | Kritiker | Gravel | Gravity | Several | Leichtmetall | Schwerpunkt | schwierig | Schwert | Healthy | Asymptomatic | non-critical | nicht kritisch | unmäßig | vielleicht | modern | Graveyard | pas grave | niekrytyczny',
  },
  {
    label: 'School subject',
    options: 'Mathematics | English | History | Biology | Physics | Music | Art',
    same: 'Mathe > Mathematics | Maths > Mathematics | Englisch > English | Geschichte > History | Biologie > Biology | Physik > Physics | Musik > Music | Kunst > Art | anglais > English | histoire > History | musique > Music | inglés > English | historia > History | física > Physics | música > Music | storia > History | inglese > English | fisica > Physics | wiskunde > Mathematics | geschiedenis > History | matematica > Mathematics | muziek > Music | sztuka > Art | angielski > English | arte > Art | fizyka > Physics | muzyka > Music',
    other:
      'Chemistry | Prehistory | Physiotherapy | Physical education | Martial arts | Microbiology > Biology | Astrophysics > Physics | Kunststoff | künstlich | Künstlername | England | Story | Artery | Cart | Artichoke | Party | Geschichtenerzähler | Musikverein | Museum | Biography | Geography | Geschlecht | Schicht | Musician | Latin | German | Kunde | Articles | Physician | Spanglish | Language arts | Metaphysics | Liberal arts | Sociology | Biological father | Kunstrasen | Smart | Part | Biochemistry | Geschäft',
  },
  {
    label: 'Order status',
    options: 'Ordered | Shipped | Delivered | Returned | Refunded',
    same: 'bestellt > Ordered | versandt > Shipped | versendet > Shipped | geliefert > Delivered | zugestellt > Delivered | retourniert > Returned | erstattet > Refunded | commandé > Ordered | expédié > Shipped | livré > Delivered | retourné > Returned | remboursé > Refunded | enviado > Shipped | entregado > Delivered | devuelto > Returned | reembolsado > Refunded | spedito > Shipped | consegnato > Delivered | rimborsato > Refunded | restituito > Returned | besteld > Ordered | verzonden > Shipped | bezorgd > Delivered | terugbetaald > Refunded | entregue > Delivered | wysłane > Shipped | dostarczone > Delivered | zamówione > Ordered | dispatched > Shipped',
    other:
      'Not delivered | Undelivered | nicht geliefert | non livré | no entregado | Abbestellt | Order picker | Disordered | Relationship | Shipyard | Membership | Partially shipped | teilweise geliefert | partially refunded | Non-refundable | Return address | Awaiting shipment | Ready to ship | to be delivered | wird geliefert | Preordered | ausgeliehen | Border | Backordered | Delivery failed | Lost | Liveried | Turned | versenkt | Versandkosten | out for delivery | pendiente de envío | en préparation | not shipped | unshipped | niet verzonden | non spedito | não entregue | niedostarczone | zwrócone | Shipping label',
  },
  {
    label: 'Property type',
    options: 'House | Apartment | Land | Office | Garage',
    same: 'Haus > House | Wohnung > Apartment | Grundstück > Land | Büro > Office | maison > House | appartement > Apartment | terrain > Land | bureau > Office | casa > House | apartamento > Apartment | terreno > Land | oficina > Office | ufficio > Office | appartamento > Apartment | huis > House | kantoor > Office | grond > Land | escritório > Office | dom > House | mieszkanie > Apartment | biuro > Office | garaż > Garage | garaje > Garage | flat > Apartment | Einfamilienhaus > House',
    other:
      'Warehouse | Greenhouse | Lighthouse | Iceland | Landlord | Landing | Officer | Hausmeister | Household | Hausarzt | Parking space | Krankenhaus | Rathaus | Gewächshaus | Treppenhaus | Deutschland | Island | Hausnummer | Office chair | Housewife | Landwirt | Casablanca | Garagentor | Kingdom | Random | Bürokratie | Stellplatz | House number | Villager | Hotel | Holland | Bürostuhl | Garbage | Compartment | Department | Bureaucrat | Casanova',
  },
  {
    label: 'Vehicle',
    options: 'Car | Truck | Motorcycle | Bus | Bicycle | Van',
    same: 'Auto > Car | PKW > Car | LKW > Truck | Motorrad > Motorcycle | Fahrrad > Bicycle | voiture > Car | camion > Truck | moto > Motorcycle | vélo > Bicycle | coche > Car | camión > Truck | bicicleta > Bicycle | autobús > Bus | carro > Car | fiets > Bicycle | vrachtwagen > Truck | bestelwagen > Van | motocicletta > Motorcycle | bicicletta > Bicycle | furgone > Van | motocykl > Motorcycle | rower > Bicycle | samochód > Car | ciężarówka > Truck | autobus > Bus | Lorry > Truck | Bike > Bicycle | furgoneta > Van',
    other:
      'Carpet | Cardboard | Carrot | Business | Busy | Tram | Caravan | Scar | Trucker | Vanilla | Advance | Bushaltestelle | Busfahrer | Autobahn | Automat | Autor | Autogramm | Car park | Car wash | Unicycle | Tricycle | Train | Trailer | Omnibus > Bus | Busch | Recycle | Fahrradständer | Motorboot | Motorradhelm | Helicopter | Ship | Scooter | Cable car | Streetcar | Bushel | Bust | Bike rack | Handcart | Lkw-Fahrer | Autoradio | Boot',
  },
  {
    label: 'Schadenursache',
    options: 'Feuer | Leitungswasser | Sturm | Einbruch | Glasbruch',
    same: 'Brand > Feuer | fire > Feuer | Feuerschaden > Feuer | Sturmschaden > Sturm | storm > Sturm | burglary > Einbruch | cambriolage > Einbruch | incendie > Feuer | tempête > Sturm | bris de glace > Glasbruch | Einbrüche > Einbruch | Glas-Bruch > Glasbruch | Einbruchdiebstahl > Einbruch | incendio > Feuer | tempesta > Sturm | inbraak > Einbruch | pożar > Feuer | włamanie > Einbruch | arrombamento > Einbruch',
    other:
      'Feuerwerk | Feuerlöscher | Feuerzeug | Bruch | Leistenbruch | Hochwasser | Überschwemmung | Trinkwasser | Abwasser | Stürmer | Sturmfrisur | Steinbruch | Schiffbruch | Hagel | Erdbeben | Blitzschlag | Leitung | Wasser > Leitungswasser | Glas > Glasbruch | Glaser | Ausbruch | Umbruch | Aufbruch | Vertragsbruch | Brandenburg | Vandalismus | Ansturm | Steuer | Feuertaufe | Weihwasser | Mineralwasser | Einspruch | Zusammenbruch | Windstille | Wasserkocher | Glasfaser | Feier | kein Feuer | Leitungsbau',
  },
  {
    label: 'Zahlungsart',
    options: 'Bar | Rechnung | Lastschrift | Kreditkarte | Vorkasse',
    same: 'Barzahlung > Bar | cash > Bar | invoice > Rechnung | auf Rechnung > Rechnung | Bankeinzug > Lastschrift | SEPA-Lastschrift > Lastschrift | credit card > Kreditkarte | Kredit-Karte > Kreditkarte | prepayment > Vorkasse | Vorauskasse > Vorkasse | per Rechnung > Rechnung | direct debit > Lastschrift | facture > Rechnung | carte de crédit > Kreditkarte | factura > Rechnung | efectivo > Bar | fattura > Rechnung | contanti > Bar | faktura > Rechnung | gotówka > Bar | factuur > Rechnung',
    other:
      'Barbara | Baron | Barcelona | Barock | Abrechnung | Berechnung | Rechnungswesen | Rechnungshof | Kreditkartennummer | Kredit | Karte > Kreditkarte | EC-Karte | Debitkarte | Speisekarte | Landkarte | Kasse | Krankenkasse | Abendkasse | Zeitschrift | Unterschrift | Anschrift | Nachbar | wunderbar | Barsch | Bargeldlos | unbar | Barriere | Last | Lastwagen | Gutschrift | Nachnahme | Gutschein | Scheck | Überweisung | Handschrift | Fahrkarte | Barfuß | Sparkasse | Eintrittskarte | nicht bar | Ratenkauf | Kundenkarte',
  },
  {
    label: 'Transaction type',
    options: 'Deposit | Withdrawal | Transfer | Fee | Interest',
    same: 'Einzahlung > Deposit | Auszahlung > Withdrawal | Überweisung > Transfer | Gebühr > Fee | Zinsen > Interest | dépôt > Deposit | retrait > Withdrawal | virement > Transfer | frais > Fee | intérêts > Interest | depósito > Deposit | retirada > Withdrawal | transferencia > Transfer | intereses > Interest | deposito > Deposit | prelievo > Withdrawal | bonifico > Transfer | interessi > Interest | storting > Deposit | overboeking > Transfer | juros > Interest | wpłata > Deposit | wypłata > Withdrawal | przelew > Transfer | odsetki > Interest | opłata > Fee | Fees > Fee',
    other:
      'Refund | Coffee | Feel | Interesting | Area of interest | Depository | Transfer fee > Fee | Feet | Zinsfrei | zinslos | gebührenfrei | no fee | fee waived | interest-free | Interessent | Dividend | Purchase | Reversal | Chargeback | Transferable | Feedback | Overdraft | Loan | Salary | Toffee | Draw | Position | Disinterest | Disposition | Composite | Transform | Zinn | Retraite | Lohn | sin intereses | sans frais',
  },
  {
    label: 'Address type',
    options: 'Home | Work | Billing | Shipping',
    same: 'zu Hause > Home | Arbeit > Work | domicile > Home | travail > Work | trabajo > Work | casa > Home | lavoro > Work | thuis > Home | werk > Work | trabalho > Work | dom > Home | praca > Work | facturation > Billing | livraison > Shipping | facturación > Billing | envío > Shipping | fatturazione > Billing | spedizione > Shipping | facturatie > Billing | verzending > Shipping | Versand > Shipping | wysyłka > Shipping | home address > Home | work address > Work | billing address > Billing | Rechnungsadresse > Billing | Lieferadresse > Shipping',
    other:
      'homework | Homeless | Rome | Workshop | Artwork | Network | Homepage | Billion | Relationship | Fireworks | Worker | Workbook | Ability | Homeopathy | Homer | Clockwork | Paperwork | Framework | Workout | Mobile | Vacation home | School | Nursing home | Holiday home | Casablanca | Patchwork | heimlich | Shipyard | Workload | arbeitslos | Arbeitgeber | Kraftwerk | Werkstatt | Werkzeug | Handwerk | Feuerwerk | Fachwerk | Homogeneous | Chrome | Hometown | Stockwerk | Bildung | Temporary | Versandhaus | Billiard | Housework',
  },
  {
    label: 'Role',
    options: 'Admin | Editor | Viewer | Owner | Guest',
    same: 'Administrator > Admin | Redakteur > Editor | Gast > Guest | Eigentümer > Owner | Besitzer > Owner | invité > Guest | propriétaire > Owner | administrateur > Admin | propietario > Owner | invitado > Guest | administrador > Admin | proprietario > Owner | ospite > Guest | amministratore > Admin | eigenaar > Owner | właściciel > Owner | gość > Guest | convidado > Guest | redaktor > Editor | Betrachter > Viewer | Zuschauer > Viewer',
    other:
      'Creditor | Auditor | Reviewer | Interviewer | Administration fee | Guesthouse | Co-owner | Homeowner > Owner | Gastronom | Moderator | Member | Guess | Landowner | Down | Gastgeber | Previewer | Editorial | Gastritis | Hotelgast > Guest | Subscriber | User | Predator | Gastspiel | Vorbesitzer | former owner | Badminton | Traitor | Beisitzer | non-admin | Request | Gastarbeiter | Contributor | not the owner | kein Gast',
  },
  {
    label: 'Reply',
    options: 'Accepted | Declined | Tentative | No response',
    same: 'zugesagt > Accepted | abgesagt > Declined | akzeptiert > Accepted | abgelehnt > Declined | accepté > Accepted | refusé > Declined | sans réponse > No response | aceptado > Accepted | rechazado > Declined | sin respuesta > No response | accettato > Accepted | rifiutato > Declined | nessuna risposta > No response | geaccepteerd > Accepted | geweigerd > Declined | geen antwoord > No response | aceito > Accepted | recusado > Declined | sem resposta > No response | zaakceptowane > Accepted | odrzucone > Declined | brak odpowiedzi > No response | keine Antwort > No response | no reply > No response',
    other:
      'Not accepted > Declined | nicht akzeptiert | non accepté > Declined | Exception | Excepted | Inclined | Attentive | Response | Antwort | Late response | Expected | Acceptable | Rejoined | Preventative | Tent | Representative | attended | geantwortet | beantwortet | réponse | no aceptado > Declined | niet geaccepteerd | não aceito | niezaakceptowane | Delegated | Alternative | Responsible | Recline | unaccepted | bad response | partly accepted | Answered | Postponed | verschoben | not declined | nicht abgelehnt',
  },
  {
    label: 'Reason for leaving',
    options: 'Resignation | Dismissal | Retirement | Death | End of contract',
    same: 'Entlassung > Dismissal | Ruhestand > Retirement | Pensionierung > Retirement | Tod > Death | Vertragsende > End of contract | démission > Resignation | licenciement > Dismissal | retraite > Retirement | décès > Death | fin de contrat > End of contract | dimisión > Resignation | despido > Dismissal | jubilación > Retirement | fallecimiento > Death | fin de contrato > End of contract | dimissioni > Resignation | licenziamento > Dismissal | pensionamento > Retirement | decesso > Death | overlijden > Death | falecimento > Death | śmierć > Death | emerytura > Retirement | resigned > Resignation | retired > Retirement | contract end > End of contract',
    other:
      'Kündigung | Toddler | Mission | Admission | Assignment | Weekend | Start of contract | Designation | Permission | Rentenversicherung | Vertragsbeginn | Renewal of contract | Breach of contract | transfer | Promotion | Contract | Deaf | Depth | Health | Methode | Probezeit | Elternzeit | Entlastung | Zulassung | Verlassen | Retirement plan | inicio de contrato | début de contrat | relocation | Sabbatical | marriage | Unterlassung | Retail | End of month | Contract extension | Beginn des Vertrags',
  },
  {
    label: 'Estado de la vivienda',
    options: 'Piso | Casa | Chalet | Local comercial | Garaje',
    same: 'flat > Piso | house > Casa | garage > Garaje | Haus > Casa | maison > Casa | casas > Casa | pisos > Piso | huis > Casa | Wohnung > Piso | garagem > Garaje | locale commerciale > Local comercial | local commercial > Local comercial',
    other:
      'Casamiento | Casado | Casaca | Caso | Paso | Peso | Pisotón | Chaleco | Local de ensayo | Localidad | Comercial | Carcasa | Escasa | Casino | Garantía | Pisapapeles | Solar | Trastero | Oficina | Terraza | Comisario | Chal | Coraje | Paraje | Viaje | Localización | Casa cuna | Aviso | Repisa | Nave | Hotel | Local | Finca',
  },
  {
    label: 'Betaalwijze',
    options: 'Contant | Pin | Factuur | Automatische incasso',
    same: 'cash > Contant | invoice > Factuur | Rechnung > Factuur | facture > Factuur | facturen > Factuur | contante betaling > Contant | incasso > Automatische incasso | pinnen > Pin | op factuur > Factuur',
    other:
      'Contact | Pincode | Manufactuur | Constant | Factuurnummer | Pinguïn | Factor | Spin | Opinie | Automatisch | Automaat | Incassobureau | Kassa | Creditcard | Overboeking | Cadeaubon | Pinda | Pinksteren | Contract | Textuur | Structuur | Container | Factuuradres | Ping | Pint | Contour | Barrière | Cashmere | Invoer | Bier | niet contant',
  },
  {
    label: 'Rodzaj umowy',
    options: 'Umowa o pracę | Umowa zlecenie | Umowa o dzieło | Kontrakt B2B',
    same: 'umowa zlecenia > Umowa zlecenie | B2B > Kontrakt B2B | employment contract > Umowa o pracę | zlecenie > Umowa zlecenie | umowa o prace > Umowa o pracę | Arbeitsvertrag > Umowa o pracę | contrat de travail > Umowa o pracę',
    other:
      'Umowa | Umowa najmu | Umowa kupna | Zlecenie przelewu | Praca > Umowa o pracę | Kontrakt | Staż | Rozmowa | Rozmowa o pracę | Dzieło sztuki | Zalecenie | Umowa o współpracę | Kontrast | B2C | Umowa przedwstępna | Umowa ustna | wolontariat | Zdalna praca | Contract | Vertrag | Mietvertrag | rental contract | purchase contract | Umowa leasingu | Umowa agencyjna | Kontakt | Kaufvertrag | contrat de location',
  },
  {
    label: 'Country',
    options: 'Germany | Austria | Switzerland | Niger | Australia | Ireland',
    same: 'Deutschland > Germany | Österreich > Austria | Schweiz > Switzerland | Allemagne > Germany | Autriche > Austria | Suisse > Switzerland | Alemania > Germany | Irlanda > Ireland | Irlande > Ireland | Australien > Australia | Szwajcaria > Switzerland | Niemcy > Germany | Duitsland > Germany | DE > Germany | AT > Austria | CH > Switzerland | Suiza > Switzerland | Svizzera > Switzerland | Oostenrijk > Austria | Austrália > Australia | Ierland > Ireland',
    other:
      'Austin | Nigeria | Iceland | Northern Ireland | Swaziland | Island | Finland | IR | IS | GE | AG | Germantown | Ostrava | Switch | Australasia | Austral | Netherlands | SZ | Estonia | Holland | AZ | Schwaben | Schwyz | Neuseeland | Algeria | NG | Not Germany | outside Germany',
  },
  {
    label: 'Answer',
    options: 'Yes | No | Maybe',
    same: 'ja > Yes | nein > No | vielleicht > Maybe | oui > Yes | non > No | peut-être > Maybe | sí > Yes | quizás > Maybe | forse > Maybe | misschien > Maybe | nee > No | sim > Yes | não > No | talvez > Maybe | tak > Yes | nie > No | y > Yes | n > No | perhaps > Maybe | yes, please > Yes',
    other:
      'Yesterday | Norway | Nonsense | North | May | Number | Known | Noon | Jam | Januar | Ouija | Note | Taken | Nikotin | Yet | Nose | Site | Non-stop | Often | Never | sometimes | Tag | Eyes | Always | Node | Nice | Ninja | Jahr | Mayor | Jaguar | Simon | Talk | Nova | both | neither | Nr. | Nom | not yes | not sure > Maybe',
  },
  {
    label: 'Booking side',
    options: 'Debit | Credit',
    same: 'Soll > Debit | Haben > Credit | débit > Debit | crédit > Credit | débito > Debit | crédito > Credit | debito > Debit | credito > Credit | Dr > Debit | Cr > Credit | debet > Debit',
    other:
      'Debate | Creditor | Accredited | Discredit | Kreditor | Sollbruchstelle | Haberdashery | Edit | Debut | Credit limit | Balance | Saldo | Sollte | Vorhaben | Debris | Audit | Editable | Bandit | total | opening balance | Creed | Tax credit > Credit | Orbit | neither',
  },
]
