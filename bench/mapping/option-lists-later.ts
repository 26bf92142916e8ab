import type { OptionList } from './option-lists.ts'

export const LATER_OPTION_LISTS: readonly OptionList[] = [
  {
    label: 'Crop',
    options: 'Wheat | Barley | Potatoes | Sugar beet | Maize | Grassland',
    same: 'Weizen > Wheat | Gerste > Barley | Kartoffeln > Potatoes | Zuckerrüben > Sugar beet | Mais > Maize | blé > Wheat | orge > Barley | pommes de terre > Potatoes | maïs > Maize | trigo > Wheat | cebada > Barley | patatas > Potatoes | grano > Wheat | patate > Potatoes | tarwe > Wheat | gerst > Barley | aardappelen > Potatoes | suikerbieten > Sugar beet | pszenica > Wheat | jęczmień > Barley | ziemniaki > Potatoes | corn > Maize',
    other:
      'Buckwheat | Sweet potatoes | Weizenbier | Kartoffelsalat | Grasshopper | Rye | Rüben | Sugar | Beetroot | Maisonette | Popcorn | Cornflakes | Woodland | Oats | Soy | Grassroots | Barlow | Sugar cane | Wetland | Fallow | Zuckerwatte | Granite | Grandad | Unicorn | Meat | Grasse | Ackerland | Wasteland',
  },
  {
    label: 'Sport',
    options: 'Football | Tennis | Swimming | Cycling | Running | Climbing',
    same: 'Fußball > Football | Schwimmen > Swimming | Radfahren > Cycling | Laufen > Running | Klettern > Climbing | natation > Swimming | cyclisme > Cycling | fútbol > Football | natación > Swimming | ciclismo > Cycling | calcio > Football | nuoto > Swimming | voetbal > Football | zwemmen > Swimming | futebol > Football | natação > Swimming | piłka nożna > Football | pływanie > Swimming | tenis > Tennis | soccer > Football',
    other:
      'American football | Table tennis | Tischtennis | Recycling | Motorcycling | Tennis elbow | Running costs | Swimming pool | Schwimmbad | Fußballschuhe | Tennisschläger | Laufzeit | Lauf | Calcium | Basketball | Handball | Footnote | Trunning | Laufmasche | Skiing | Running late | Football fan | Swimmer | Climber | Social climbing | Not running | Volleyball | Cyclone | Tenesse | Radweg',
  },
  {
    label: 'Account type',
    options: 'Checking | Savings | Loan | Investment | Credit card',
    same: 'Girokonto > Checking | Sparkonto > Savings | Darlehen > Loan | Kredit > Loan | Kreditkarte > Credit card | épargne > Savings | prêt > Loan | investissement > Investment | ahorro > Savings | préstamo > Loan | inversión > Investment | prestito > Loan | risparmio > Savings | lening > Loan | empréstimo > Loan | poupança > Savings | pożyczka > Loan | inwestycja > Investment | Current account > Checking | Savings account > Savings | mortgage loan > Loan',
    other:
      'Spell checking | Daylight savings | Lone | Alone | Loaner car | Divestment | Reinvestment fund | Check | Checkout | Sparschwein | Kreditor | Prête | Prêt-à-porter | Spare | Sparsam | Loanword | Debit card | Gift card | Credit union | Invest | Saving Grace | Savory | Cash | Pension | Unchecking | Investigation | Vestment | Cheque',
  },
  {
    label: 'Maßnahme',
    options: 'Reparatur | Austausch | Wartung | Reinigung | Prüfung',
    same: 'repair > Reparatur | replacement > Austausch | maintenance > Wartung | cleaning > Reinigung | inspection > Prüfung | réparation > Reparatur | nettoyage > Reinigung | entretien > Wartung | remplacement > Austausch | reparación > Reparatur | limpieza > Reinigung | mantenimiento > Wartung | riparazione > Reparatur | pulizia > Reinigung | manutenzione > Wartung | reparatie > Reparatur | onderhoud > Wartung | schoonmaak > Reinigung | naprawa > Reparatur | czyszczenie > Reinigung | Reparaturen > Reparatur',
    other:
      'Erwartung | Abschlussprüfung > Prüfung | Verunreinigung | Reinigungsmittel | Wartungsvertrag | Reparaturkosten | Schüleraustausch > Austausch | Vereinigung | Warnung | Tausch | Peinigung | Prüfling | Prüfungsangst | Umtausch | Reparation | Wertung | Wart | Warten | Bewertung | Repair shop | Cleaning lady | Reparatur nicht nötig | keine Reparatur | Rückgabe | Separatur | Austauschschüler | Entsorgung | Reinheit | unrepariert',
  },
  {
    label: 'Delivery outcome',
    options: 'Delivered | Left with neighbour | Refused | Address not found | Damaged',
    same: 'zugestellt > Delivered | geliefert > Delivered | beim Nachbarn > Left with neighbour | verweigert > Refused | Annahme verweigert > Refused | livré > Delivered | refusé > Refused | entregado > Delivered | rechazado > Refused | consegnato > Delivered | rifiutato > Refused | bezorgd > Delivered | geweigerd > Refused | entregue > Delivered | recusado > Refused | dostarczono > Delivered | beschädigt > Damaged | endommagé > Damaged | danneggiato > Damaged | uszkodzony > Damaged',
    other:
      'Not delivered | Redelivered tomorrow | Address found | Refuse bin | Refuse collection | Neighbourhood | Found | Address | Undamaged | unbeschädigt | nicht zugestellt | non refusé | Refused bequest offer | Refuge | Refusal rate | Left | Leftovers | Deliverable | Address changed | Refunded | Refuelled | In transit | niedostarczono | non livré | to be delivered | da consegnare | à livrer | nog niet bezorgd | não entregue',
  },
  {
    label: 'Instrument',
    options: 'Piano | Violin | Guitar | Flute | Drums | Voice',
    same: 'Klavier > Piano | Geige > Violin | Violine > Violin | Gitarre > Guitar | Flöte > Flute | Querflöte > Flute | Schlagzeug > Drums | Gesang > Voice | violon > Violin | guitare > Guitar | flûte > Flute | batterie > Drums | chant > Voice | guitarra > Guitar | flauta > Flute | batería > Drums | violino > Violin | chitarra > Guitar | pianoforte > Piano | viool > Violin | gitaar > Guitar | skrzypce > Violin | gitara > Guitar | perkusja > Drums',
    other:
      'Pianist | Violinist | Klavierstuhl | Piano mover | Invoice | Voicemail | Guitarist | Doldrums | Drumstick | Geiger | Gitarrenkoffer | Violoncello | Viola | Voucher | Flut | Fluid | Champagne flute | Trumpet | Dramas | Drum brake | Devoice | Pianissimo | Violence | Choice | Harp | Flötenkessel | Schlagsahne | Zeug | Batteriesäure | Vocal cords',
  },
  {
    label: 'Type de bien',
    options: 'Appartement | Maison | Terrain | Parking | Local commercial',
    same: 'apartment > Appartement | house > Maison | land > Terrain | Wohnung > Appartement | Haus > Maison | Grundstück > Terrain | Stellplatz > Parking | piso > Appartement | casa > Maison | terreno > Terrain | appartamento > Appartement | huis > Maison | parking space > Parking | mieszkanie > Appartement | dom > Maison | locale commerciale > Local commercial | flat > Appartement',
    other:
      'Maisonnette | Souterrain | Terrine | Appartenance | Commercial | Commerce | Local | Locataire | Parc | Terrasse | Comparaison | Terrain de tennis > Terrain | Parkour | Liaison | Saison | Part | Garage | Bureau | Restaurant | Département | Parkinson | Raison | Bargain | Local poubelle | Animal commercial | Entrepôt',
  },
  {
    label: 'Level',
    options: 'Beginner | Intermediate | Advanced | Expert',
    same: 'Anfänger > Beginner | Fortgeschritten > Advanced | Experte > Expert | débutant > Beginner | intermédiaire > Intermediate | avancé > Advanced | principiante > Beginner | intermedio > Intermediate | avanzado > Advanced | avanzato > Advanced | esperto > Expert | beginner > Beginner | gevorderd > Advanced | iniciante > Beginner | avançado > Advanced | początkujący > Beginner | zaawansowany > Advanced | ekspert > Expert',
    other:
      'Beginning | Intermediary | Advance payment | Expertise | Expired | Inexpert | Not a beginner | Begin | Mediate | Immediate | Disadvantaged | Experiment | Exporter | Experte nein danke | Anfang | fortgesetzt | Vorschuss | Export | Unadvanced | Adventurer | Avance | Adverse | Immediately | Expect | Master | Native | Advent | no experto',
  },
]
