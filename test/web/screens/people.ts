const NAMES = [
  'Ada Lovelace',
  'Alan Turing',
  'Grace Hopper',
  'Barbara Liskov',
  'Edsger Dijkstra',
  'Frances Allen',
  'Katherine Johnson',
  'Donald Knuth',
  'Radia Perlman',
  'Tony Hoare',
]

export const toEmail = (name: string): string => `${name.toLowerCase().replaceAll(' ', '.')}@example.com`

export const RECORDS = Array.from({ length: 60 }, (_, at) => {
  const name = NAMES[at % NAMES.length]!
  return {
    name: at % 9 === 8 ? '' : name,
    email: toEmail(name).replace('@', `${at}@`),
    age: at % 7 === 6 ? 'unknown' : at % 11 === 5 ? `${25 + at} years` : 25 + (at % 40),
    status: ['active', 'gone', 'paused'][at % 3],
  }
})

export const CSV = `Full name;Mail;Age in years;State\n${RECORDS.map((one) => Object.values(one).join(';')).join('\n')}\n`

let addresses = 0

/** An address belongs to one account of a platform. */
export const newAddress = (): string => `ada@harbor${process.env.VITEST_POOL_ID}${addresses++}.example`
