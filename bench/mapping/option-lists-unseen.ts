/** Lists like those of option-lists.ts. Their results were read only after most of the rules were changed. */
import type { OptionList } from './option-lists.ts'

export const UNSEEN_OPTION_LISTS: readonly OptionList[] = [
  {
    label: 'Status',
    options: 'Open | In progress | Done | Cancelled',
    same: 'in Bearbeitung > In progress | offen > Open | erledigt > Done | storniert > Cancelled | en cours > In progress | terminé > Done | annulé > Cancelled | ouvert > Open | abierto > Open | en curso > In progress | aperto > Open | in corso > In progress | annullato > Cancelled | em andamento > In progress | otwarte > Open | w toku > In progress | geannuleerd > Cancelled | afgerond > Done | Canceled > Cancelled | completed > Done | ongoing > In progress',
    other:
      'Off | Not open | Opening hours | Not done | Undone | No progress | Progress report | Openly | On hold | Waiting | nicht erledigt | ouverture | Öffnungszeiten | Cancellation fee | Open source | paused | rejected | not started | Half done | non terminé | sin terminar | not cancelled | nicht storniert | nicht offen | unfinished | Redone | Abandonware | niet afgerond | Offenbach | Offenbarung',
  },
  {
    label: 'Department',
    options: 'Sales | Marketing | Human resources | Finance | IT | Production | Purchasing',
    same: 'Vertrieb > Sales | Personal > Human resources | HR > Human resources | Einkauf > Purchasing | Produktion > Production | Finanzen > Finance | Verkauf > Sales | ventes > Sales | Ressources humaines > Human resources | Recursos humanos > Human resources | achats > Purchasing | compras > Purchasing | ventas > Sales | vendite > Sales | acquisti > Purchasing | inkoop > Purchasing | verkoop > Sales | produkcja > Production | sprzedaż > Sales | Informatik > IT | informatique > IT | Sales department > Sales',
    other:
      'Legal | Logistics | Warehouse | Quality | Reproduction | Italy | Refinance | Marketplace | Personal trainer | Human rights | Natural resources | Water resources | Facilities | R&D | Research | Purchase price | Verkaufspreis | Einkaufszentrum | Einkaufswagen | Produktionsausfall | Supermarket | Customer service | Administration | Safety | Reception | Produktentwicklung | Personalausweis | Kundendienst | Rechtsabteilung | Produit | Sala | Salsa | Salle | Introduction | Product | Sailing',
  },
  {
    label: 'Room type',
    options: 'Single | Double | Twin | Suite | Family room',
    same: 'Einzelzimmer > Single | Doppelzimmer > Double | Familienzimmer > Family room | Double room > Double | Single room > Single | chambre double > Double | habitación doble > Double | habitación individual > Single | camera singola > Single | camera doppia > Double | tweepersoonskamer > Double | eenpersoonskamer > Single | quarto duplo > Double | pokój dwuosobowy > Double | chambre familiale > Family room',
    other:
      'Dormitory | Apartment | En suite bathroom | Living room | Badezimmer | Dining room | Meeting room | Suitcase | Suitable | Family tree | Family doctor | Doppelkinn | Einzelhandel | Doppelhaushälfte | Triple | Dreibettzimmer | Pursuit | Doubtful | Twin town | Einzelgänger | Bungalow | Besprechungszimmer | Wartezimmer | Wohnzimmer | Zimmer | Room | Einzelteil | Einzelpreis | Waiting room | salle de bain | Doppelname | Familienname',
  },
  {
    label: 'Contract type',
    options: 'Permanent | Fixed-term | Temporary | Internship | Freelance',
    same: 'unbefristet > Permanent | Praktikum > Internship | freiberuflich > Freelance | Freelancer > Freelance | temporaire > Temporary | temporal > Temporary | prácticas > Internship | tijdelijk > Temporary | permanente > Permanent | temporaneo > Temporary | tirocinio > Internship | estágio > Internship | staż > Internship | stały > Permanent | tymczasowy > Temporary | permanent contract > Permanent | temp > Temporary | fixed term > Fixed-term',
    other:
      'Apprenticeship | Part-time | Full-time | Internal | International | Long-term | Contemporary | Temperature | Freeware | Fixed price | Zero hours | Probation | Term | Free | Freedom | Self-service | Internist | Praktiker | Ausbildung | Werkvertrag | Midterm | nicht freiberuflich | Ehrenamt | volunteer | non permanent | nicht unbefristet | Tempel | Interne | Tempo | Exterminate | Permanganate | Not permanent',
  },
  {
    label: 'Shipping method',
    options: 'Standard | Express | Pickup | Overnight | Freight',
    same: 'Abholung > Pickup | Standardversand > Standard | Expressversand > Express | Fracht > Freight | estándar > Standard | exprés > Express | recogida > Pickup | ritiro > Pickup | Express delivery > Express | standaard > Standard | afhalen > Pickup | odbiór > Pickup | standard shipping > Standard | Pick-up > Pickup | Selbstabholung > Pickup | Selbstabholer > Pickup | fret > Freight | expres > Express',
    other:
      'Non-standard | Pickup truck | Expression | Expressway | Espresso > Express | Substandard | Standardabweichung | Night | Pick & place | Freighter | Air mail | Sea | Postfach | Same day | Overdue | Fright | Weight | Fortnight | Depression | Courier | Drone | Frachter | Nachtschicht | Nacht | Standing | Bike | Hand luggage | Post | No shipping | Pickled | American Express | Standardwerk | overweight | Frachtbrief | Economy | not express',
  },
  {
    label: 'Tyres',
    options: 'Summer | Winter | All-season',
    same: 'Sommer > Summer | Sommerreifen > Summer | Winterreifen > Winter | Ganzjahresreifen > All-season | été > Summer | hiver > Winter | toutes saisons > All-season | verano > Summer | invierno > Winter | inverno > Winter | zomer > Summer | zomerbanden > Summer | winterbanden > Winter | verão > Summer | lato > Summer | zima > Winter | Summer tyres > Summer | Winter tires > Winter | all season > All-season | pneus hiver > Winter',
    other:
      'Spring | Autumn | Midsummer | Wintergarten | Winterthur | Sommersprossen | Sommerzeit | Slick | Studded | Off-season | High season | Seasoning | Spare | Consumer | Splinter | Printer | Sprinter | Hinter | Sommelier | Rain | Racing | Offroad | Summer camp | Saison | Season | Season ticket | Frühling | Winterschlaf | Zimt | Latte | Zimmer | Invention | All | Reifen | tyre | not winter | Winter coat',
  },
  {
    label: 'Diet',
    options: 'Vegetarian | Vegan | Halal | Kosher | Gluten-free',
    same: 'vegetarisch > Vegetarian | végétarien > Vegetarian | végétalien > Vegan | koscher > Kosher | glutenfrei > Gluten-free | sans gluten > Gluten-free | sin gluten > Gluten-free | senza glutine > Gluten-free | glutenvrij > Gluten-free | sem glúten > Gluten-free | vegetariano > Vegetarian | vegano > Vegan | vegetariër > Vegetarian | veggie > Vegetarian | gluten free > Gluten-free | no gluten > Gluten-free',
    other:
      'Non-vegetarian | Not vegan | Gluten | Lactose-free | Vegas | Las Vegas | Sugar-free | Pescetarian | Vegetables | nicht vegetarisch | Vegetation | Omnivore | Gluten-rich | contains gluten | mit Gluten | avec gluten | Free | laktosefrei | Veterinarian | Halma | Fruitarian | nut-free | Low carb | Flexitarian | kein Halal | non-halal | Fleisch | con glutine | Freilandeier | Planet | zuckerfrei | Free range | Unitarian | niewegetariańska | niet vegetarisch',
  },
  {
    label: 'Marital status',
    options: 'Single | Married | Divorced | Widowed | Separated',
    same: 'ledig > Single | verheiratet > Married | geschieden > Divorced | verwitwet > Widowed | getrennt > Separated | célibataire > Single | marié > Married | mariée > Married | divorcé > Divorced | veuf > Widowed | veuve > Widowed | séparé > Separated | soltero > Single | casado > Married | casada > Married | viudo > Widowed | celibe > Single | sposato > Married | sposata > Married | vedova > Widowed | gehuwd > Married | gescheiden > Divorced | solteiro > Single | viúva > Widowed | żonaty > Married | rozwiedziony > Divorced | wdowa > Widowed | panna > Single | kawaler > Single | unmarried > Single',
    other:
      'unverheiratet > Single | not married > Single | lediglich | Unterschied | Inseparable | Window | Black widow | Engaged | verlobt | Partnership | Lebenspartnerschaft | Cohabiting | Casa | Married name | Single malt | Sposa | non marié > Single | no casado > Single | Marriage counsellor | Marry | nicht getrennt | Widescreen | Marathon | verschieden | beschieden | Separate entrance | living together | pacsé | Scheidungsanwalt | Ehevertrag | child | unknown | ongehuwd > Single | not divorced | nicht geschieden',
  },
  {
    label: 'Gender',
    options: 'Male | Female | Diverse',
    same: 'männlich > Male | weiblich > Female | Frau > Female | Mann > Male | homme > Male | femme > Female | hombre > Male | mujer > Female | uomo > Male | donna > Female | man > Male | vrouw > Female | homem > Male | mulher > Female | mężczyzna > Male | kobieta > Female | masculin > Male | féminin > Female | masculino > Male | femenino > Female | divers > Diverse | woman > Female',
    other:
      'Tamale | Malaga | Mail | Manager | Mannheim | Fraud | Maler | Malt | Manual | Human | German | Womanizer | Femur | Frauenarzt | Diversity officer | University | Herring | Herrenhaus | Company | Animal | Family | diversion | unmännlich | Malediven | Mannschaft | not specified | unknown | Diver | Hommage | Donnerstag | not male | nicht weiblich | Kaufmann | Fachmann',
  },
  {
    label: 'Invoice status',
    options: 'Draft | Sent | Paid | Overdue | Void',
    same: 'Entwurf > Draft | gesendet > Sent | bezahlt > Paid | überfällig > Overdue | ungültig > Void | brouillon > Draft | envoyé > Sent | payé > Paid | en retard > Overdue | borrador > Draft | enviada > Sent | pagada > Paid | vencida > Overdue | bozza > Draft | inviata > Sent | pagata > Paid | scaduta > Overdue | concept > Draft | verzonden > Sent | betaald > Paid | rascunho > Draft | paga > Paid | szkic > Draft | wysłana > Sent | opłacona > Paid | past due > Overdue',
    other:
      'Unpaid | unbezahlt | nicht bezahlt | impayé | no pagada | non pagata | onbetaald | niet betaald | não paga | niezapłacona | Partially paid | teilbezahlt | Prepaid | Paid leave | Not sent | Overdrive | Avoid | Due | not due | nicht fällig | fällig | Drafting table | Draught > Draft | Present | Absent | Consent | Unsent | In dispute | Overpaid | underpaid | überzahlt | non envoyé | Payable | to be paid | à payer | zu zahlen | Craft | Raft | Aircraft | Voidable | Devoid | gültig | nieopłacona | not overdue',
  },
  {
    label: 'Colour',
    options: 'Red | Blue | Green | Black | White',
    same: 'rot > Red | blau > Blue | grün > Green | schwarz > Black | weiß > White | rouge > Red | bleu > Blue | vert > Green | noir > Black | blanc > White | rojo > Red | azul > Blue | verde > Green | negro > Black | blanco > White | rosso > Red | blu > Blue | nero > Black | bianco > White | rood > Red | blauw > Blue | groen > Green | zwart > Black | wit > White | vermelho > Red | preto > Black | branco > White | czerwony > Red | niebieski > Blue | zielony > Green | czarny > Black | biały > White | dunkelblau > Blue',
    other:
      'Credit | Redundant | Greenland | Blackboard | Whiteboard | Reduced | Blueprint | Bluetooth | Rotation | Brot | Orange | Yellow | Brown | Turquoise | Infrared | colourless | Schwarzwald | Schwarzarbeit | Greenhouse | Blueberry | Grünkohl | Weißbier | Weisheit | Vertical | Vertrag | Noise | Redo | Sacred | Bored | Blackberry | Whitehall | Witz | With | Silver | Pink | Not red | Rothaarig | Transparent | Purple | Beige | rotten | Vertigo | Red and white | schwarz-weiß | farblos',
  },
  {
    label: 'Type of leave',
    options: 'Vacation | Sick leave | Parental leave | Unpaid leave | Training',
    same: 'Urlaub > Vacation | krank > Sick leave | Elternzeit > Parental leave | unbezahlter Urlaub > Unpaid leave | Fortbildung > Training | vacances > Vacation | congé maladie > Sick leave | congé parental > Parental leave | formation > Training | vacaciones > Vacation | formación > Training | ferie > Vacation | formazione > Training | congedo parentale > Parental leave | vakantie > Vacation | ziekteverlof > Sick leave | ouderschapsverlof > Parental leave | opleiding > Training | férias > Vacation | licença parental > Parental leave | urlop > Vacation | szkolenie > Training | Holiday > Vacation | annual leave > Vacation | sick > Sick leave',
    other:
      'Leave | Public holiday | Paid leave | Compassionate leave | Bereavement leave | Sabbatical | Sickle | Parent company | Parental control | Training shoes | Straining | Homesick | Seasick | Vacant | Vacuum | Elternabend | Krankenhaus | Urlaubsgeld | Urlaubssperre | Home office | Business trip | Dienstreise | Jury duty | Overtime | present | absent | Military leave | Leaving date | Kranich | Vocation | Evacuation | Trainer | Formblatt | Uniform | bezahlter Urlaub | nicht krank',
  },
  {
    label: 'Abteilung',
    options: 'Vertrieb | Einkauf | Lager | Buchhaltung | Geschäftsführung | Personal',
    same: 'Sales > Vertrieb | Purchasing > Einkauf | Warehouse > Lager | Accounting > Buchhaltung | Personalabteilung > Personal | Buchhalt. > Buchhaltung | Vertriebsabteilung > Vertrieb | ventes > Vertrieb | achats > Einkauf | entrepôt > Lager | comptabilité > Buchhaltung | compras > Einkauf | almacén > Lager | contabilidad > Buchhaltung | magazzino > Lager | contabilità > Buchhaltung | acquisti > Einkauf | inkoop > Einkauf | magazijn > Lager | boekhouding > Buchhaltung | magazyn > Lager | księgowość > Buchhaltung | zakupy > Einkauf | sprzedaż > Vertrieb | Finanzbuchhaltung > Buchhaltung',
    other:
      'Kugellager | Lagerfeuer | Zeltlager | Lagerbier | Geschäft | Ferienlager | Einkaufszettel | Buch | Bücherei | Personalausweis | Verkaufsfläche | Trieb | Antrieb | Betrieb | Haltung | Buchhandlung | Geschäftsreise | Unterhaltung | Persönlich | Führung | Führungskraft | Einkaufszentrum | Flüchtlingslager | Schlager | Belagerung | Vertreibung | IT | Marketing | Produktion | Geschäftsjahr | Qualitätssicherung | Feldlager | Lageplan | Kauf | Personen | Buchhändler | Auflage | Lagerfeld',
  },
  {
    label: 'Fuel',
    options: 'Petrol | Diesel | Electric | Hybrid | Gas',
    same: 'Benzin > Petrol | Elektro > Electric | elektrisch > Electric | Gasoline > Petrol | essence > Petrol | électrique > Electric | hybride > Hybrid | gasolina > Petrol | eléctrico > Electric | benzina > Petrol | elettrica > Electric | benzine > Petrol | benzyna > Petrol | elektryczny > Electric | híbrido > Hybrid | gazole > Diesel | Erdgas > Gas | ibrido > Hybrid | gaz > Gas',
    other:
      'Petroleum | Hydrogen | Wasserstoff | Electrician | Electricity bill | Gasthaus | Gastro | Gasse | Vegas | Petrol station | Tankstelle | Dieselpartikelfilter | non-electric | Electron | Elektronik | Elektriker | Wood | Coal | Holz | Solar | Kerosene | Ethanol | Patrol | Hydride | Gasket | Abgas | Tear gas | Laughing gas | Elector | manual | Weasel | Edelgas | Gasmaske | Biodiesel > Diesel | Dielectric | Gazelle | Kohle | Lachgas | Hybris | essential | Gastank',
  },
  {
    label: 'Ticket type',
    options: 'Bug | Feature request | Question | Incident | Task',
    same: 'Fehler > Bug | Frage > Question | Vorfall > Incident | Aufgabe > Task | Defect > Bug | tâche > Task | incidente > Incident | pregunta > Question | tarea > Task | domanda > Question | compito > Task | vraag > Question | taak > Task | tarefa > Task | pergunta > Question | pytanie > Question | zadanie > Task | błąd > Bug | bugs > Bug | Questions > Question',
    other:
      'Bugatti | Debugger | Buggy | Ladybug | Mask | Incidentally | Feature film | Coincidence | Questionnaire | Fragebogen | Vorfahrt | Request | Multitasking | Ask | Fragile | No question | Fehlerfrei | fehlerlos | Taskbar | Feedback | Complaint | Praise | Change | Aufgang | Vorfreude | Zufall | Fehlzeit | Quest | Incident manager | Umfrage | Nachfrage | Humbug | Beg | Rug | Tusk | Not a bug | kein Fehler',
  },
  {
    label: 'Billing period',
    options: 'Monthly | Quarterly | Yearly | One-time',
    same: 'monatlich > Monthly | vierteljährlich > Quarterly | jährlich > Yearly | einmalig > One-time | mensuel > Monthly | trimestriel > Quarterly | annuel > Yearly | mensual > Monthly | trimestral > Quarterly | anual > Yearly | mensile > Monthly | trimestrale > Quarterly | annuale > Yearly | maandelijks > Monthly | jaarlijks > Yearly | eenmalig > One-time | miesięcznie > Monthly | kwartalnie > Quarterly | rocznie > Yearly | jednorazowo > One-time | annually > Yearly | every month > Monthly | mensal > Monthly | per year > Yearly',
    other:
      'Bimonthly | Weekly | halbjährlich | semestriel | semestral | halfjaarlijks | Biennial | Biannual | Headquarters | One-way | Overtime | semi-annual | half-yearly | every two months | zweimonatlich | alle zwei Jahre | zweijährlich | bimestral | bimestrale | Daily | täglich | Early | Monday | Nearly | not monthly | One | Time | unregelmäßig | Quartier | cotygodniowo | bimensuel | quarterfinal | Clearly | six-monthly | fortnightly | półrocznie | every 6 months | tweemaandelijks | triennial | nicht monatlich',
  },
  {
    label: 'Insurance',
    options: 'Liability | Household | Life | Legal protection | Car | Health',
    same: 'Haftpflicht > Liability | Hausrat > Household | Leben > Life | Rechtsschutz > Legal protection | Kfz > Car | Krankenversicherung > Health | Lebensversicherung > Life | responsabilité civile > Liability | vie > Life | santé > Health | voiture > Car | protection juridique > Legal protection | vida > Life | salud > Health | coche > Car | hogar > Household | vita > Life | salute > Health | aansprakelijkheid > Liability | leven > Life | gezondheid > Health | saúde > Health | życie > Life | zdrowie > Health | samochód > Car | Life insurance > Life | Health insurance > Health | Car insurance > Car | Haftpflichtversicherung > Liability',
    other:
      'Pet | Travel | Unfallversicherung | Dental | Disability | Reliability | Lifestyle | Wildlife | Lifeboat | Carpet | Lebenslauf | Lebensmittel | Lebensgefahr | Erleben | Wealth | Stealth | Legal guardian | Data protection | Sun protection | Environmental protection | Health food | Cargo | Card | Erbrecht | Datenschutz | Brandschutz | Denkmalschutz | Pflicht | Schulpflicht | Hausratte | Hausrecht | Viability | Rechtsanwalt | Illegal | Pflege | Afterlife | Nightlife | Building | Leber | Kleben | Lifelong | Pension | Protection | Reiseversicherung',
  },
  {
    label: 'Animal',
    options: 'Dog | Cat | Horse | Rabbit | Bird',
    same: 'Hund > Dog | Katze > Cat | Pferd > Horse | Kaninchen > Rabbit | Vogel > Bird | chien > Dog | chat > Cat | cheval > Horse | lapin > Rabbit | oiseau > Bird | perro > Dog | gato > Cat | caballo > Horse | conejo > Rabbit | pájaro > Bird | cane > Dog | gatto > Cat | cavallo > Horse | coniglio > Rabbit | uccello > Bird | hond > Dog | kat > Cat | paard > Horse | konijn > Rabbit | cavalo > Horse | pies > Dog | kot > Cat | koń > Horse | królik > Rabbit | ptak > Bird | Cats > Cat',
    other:
      'Hotdog | Dogma | Catalogue | Category | Seahorse | Horsepower | Catering | Hundert | Vogelhaus | Chatroom | Guinea pig | Hamster | Catfish | Canal | Underdog | Horseradish | Jailbird | Vogelbeere | Hundehütte | Hundekuchen | Pferdestall | Muskelkater | Flusspferd | Seepferdchen | Seehund | Reptile | Catamaran | Dog food | Nilpferd | Ladybird | Goat | Kater > Cat | Fledermaus | Meerschweinchen | Cattle | Clothes horse | Perron | Katalog | Kotelett | Horsefly | Rabbi | Vogelscheuche',
  },
  {
    label: 'Statut de la commande',
    options: 'En attente | Expédiée | Livrée | Annulée',
    same: 'pending > En attente | shipped > Expédiée | expédié > Expédiée | delivered > Livrée | livré > Livrée | cancelled > Annulée | annulé > Annulée | versandt > Expédiée | geliefert > Livrée | storniert > Annulée | pendiente > En attente | enviado > Expédiée | entregado > Livrée | cancelado > Annulée | in attesa > En attente | spedito > Expédiée | consegnato > Livrée | annullato > Annulée | verzonden > Expédiée | geleverd > Livrée | geannuleerd > Annulée | anulowane > Annulée | dostarczone > Livrée | wysłane > Expédiée',
    other:
      "Non livrée | Pas encore expédiée | Livres > Livrée | Livret | Annuel | Annuaire | Attentat | Détente | Expédient | Expéditeur | Délivrée | Remboursée | Retournée | Non annulée | Livre > Livrée | Attentif | Expertise | Année | Libre | Ivre | En ligne | Fermée | Entente | Lévrier | nicht geliefert | undelivered | not shipped | Expulsée | Annulaire | Annoncée | Partiellement livrée | Salle d'attente | à livrer | à expédier | Sans attente | Livreur",
  },
  {
    label: 'Stato',
    options: 'Aperto | Chiuso | Sospeso | In lavorazione',
    same: 'open > Aperto | closed > Chiuso | offen > Aperto | geschlossen > Chiuso | ouvert > Aperto | fermé > Chiuso | abierto > Aperto | cerrado > Chiuso | suspended > Sospeso | suspendido > Sospeso | aperta > Aperto | chiusa > Chiuso | sospesa > Sospeso | suspendu > Sospeso | gesloten > Chiuso | otwarte > Aperto | zamknięte > Chiuso | fechado > Chiuso | aberto > Aperto',
    other:
      'Non aperto | Coperto | Scoperto | Esperto | Concerto | Non chiuso | Socchiuso | Sospetto | Lavoro | Lavastoviglie | Appartamento | Incluso | Escluso | Peso | Compreso | nicht offen | not closed | Off | Disclosed | Enclosed | Opener | Offener Brief | Chiosco | Deluso | Richiesta | Annullato | Rifiutato | Aperitivo | Chiusura lampo | Espresso | Illeso | lavoratore | non sospeso',
  },
  {
    label: 'Situação',
    options: 'Ativo | Inativo | Bloqueado | Pendente',
    same: 'active > Ativo | inactive > Inativo | aktiv > Ativo | inaktiv > Inativo | actif > Ativo | inactif > Inativo | activo > Ativo | inactivo > Inativo | blocked > Bloqueado | gesperrt > Bloqueado | pending > Pendente | pendiente > Pendente | bloqué > Bloqueado | attivo > Ativo | inattivo > Inativo | bloccato > Bloqueado | actief > Ativo | inactief > Inativo | geblokkeerd > Bloqueado | aktywny > Ativo | nieaktywny > Inativo | zablokowany > Bloqueado | ativa > Ativo | inativa > Inativo | bloqueada > Bloqueado',
    other:
      'Proactive | Radioactive | Atividade | Independente | Bloco | Ativista | Criativo | Negativo | Administrativo | Lucrativo | Relativo | Desbloqueado | Unblocked | entsperrt | non bloqué | no bloqueado | Activity | Interactive | Dependente | Pendant | Hyperactive | aktuell | Atrativo | Descendente | Suspenso | Transparente | Radioaktiv | Aktivkohle | Sperrmüll | Aktie | block | Activation code | not blocked | niezablokowany | odblokowany | niet geblokkeerd | nicht aktiv > Inativo | not active > Inativo',
  },
  {
    label: 'Status zlecenia',
    options: 'Nowe | W realizacji | Zakończone | Anulowane',
    same: 'new > Nowe | neu > Nowe | in progress > W realizacji | completed > Zakończone | finished > Zakończone | cancelled > Anulowane | storniert > Anulowane | nouveau > Nowe | nuevo > Nowe | terminé > Zakończone | annulé > Anulowane | anulowany > Anulowane | nowy > Nowe | nowa > Nowe | zakończony > Zakończone | nuovo > Nowe | concluído > Zakończone | cancelado > Anulowane | nieuw > Nowe | voltooid > Zakończone | geannuleerd > Anulowane',
    other:
      'Nowela | Niezakończone | Realizator | Nie anulowane | News | Nowotwór | Jałowe | Newsletter | Realność | Renault | neutral | Niedokończone | unfinished | not completed | nicht storniert | Wstrzymane | Odrzucone | Nowość | Zwrócone | neun | uncompleted | incomplete | unvollständig | Off | Przeniesione | inachevé | neutre | Nowogród | Granulowane | Annulus | nie zakończone',
  },
  {
    label: 'Language',
    options: 'English | French | German | Italian | Spanish',
    same: 'Englisch > English | Deutsch > German | Französisch > French | anglais > English | allemand > German | español > Spanish | inglés > English | francés > French | alemán > German | tedesco > German | inglese > English | francese > French | niemiecki > German | angielski > English | Duits > German | Engels > English | Frans > French | Spaans > Spanish | alemão > German | inglês > English | en > English | de > German | fr > French',
    other:
      'Dutch | Germanic | Danish | Franconian | Swiss German > German | Portuguese | Englewood | Anglican | Frenzy | Polnisch | Plattdeutsch > German | Sign language | Latin | Flemish | da | pt | nl | Germane | English breakfast | French fries | German shepherd | Spanish flu | Engel | Niederdeutsch > German | deutlich | Spannung | Romanian | Finnish | Frisian | Spinach | not English | non-English | kein Deutsch | Bilingual | Creole',
  },
  {
    label: 'Size',
    options: 'Small | Medium | Large | Extra large',
    same: 'klein > Small | mittel > Medium | groß > Large | petit > Small | moyen > Medium | grand > Large | pequeño > Small | mediano > Medium | grande > Large | piccolo > Small | medio > Medium | groot > Large | XL > Extra large | extra groß > Extra large | duży > Large | mały > Small | średni > Medium | pequeno > Small',
    other:
      'Smallpox | Enlarged | Largo | Extra | Extra small | Extra virgin | Großeltern | Großbritannien | Kleingeld | Kleinwagen | Petition | Grandmother | Großhandel | Tiny > Small | extra klein | Medieval | Mediterranean | At large | XS | XXL | XXS | nicht groß | not large | Discharge | Grandios | Recharge | one size | Kleiderbügel | Middelburg | Größe | Smalltalk | Media player | Mittelalter | Mittelwert | Charge | Barge',
  },
  {
    label: 'Defect',
    options: 'Scratch | Dent | Crack | Corrosion | Missing part',
    same: 'Kratzer > Scratch | Delle > Dent | Beule > Dent | Riss > Crack | Korrosion > Corrosion | Rost > Corrosion | rayure > Scratch | fissure > Crack | pièce manquante > Missing part | fehlendes Teil > Missing part | arañazo > Scratch | abolladura > Dent | grieta > Crack | corrosión > Corrosion | graffio > Scratch | ammaccatura > Dent | crepa > Crack | kras > Scratch | deuk > Dent | scheur > Crack | rachadura > Crack | pęknięcie > Crack | korozja > Corrosion | part missing > Missing part | rust > Corrosion | Scratches > Scratch',
    other:
      'Dentist | Accident | Student | Crackers | Scratchcard | Incident | Firecracker | Kratzbaum | Rostbraten | Rostock | Trust | Part | Missing person | Missing text | Grundriss | Abriss | Umriss | Spare part | No dent | scratch-free | kratzfest | rostfrei | rissfrei | Resident | Evident | Crash | Erosion | Identity | Precedent | Kompromiss | Crackdown | Dental | Partner | Participant | broken | Mental | Frost | Korruption | without scratches | Party | Wrong part | Ersatzteil | Nachteil | ohne Kratzer',
  },
]
