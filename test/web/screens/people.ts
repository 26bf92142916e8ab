const FIRST = ['Ada', 'Alan', 'Grace', 'Barbara', 'Edsger', 'Frances', 'Katherine', 'Donald', 'Radia', 'Tony']
const LAST = 'Lovelace Turing Hopper Liskov Dijkstra Allen Johnson Knuth Perlman Hoare'.split(' ')

export const toEmail = (name: string): string => `${name.toLowerCase().replaceAll(' ', '.')}@example.com`

function describePerson(at: number) {
  const name = `${FIRST[at % 10]} ${LAST[(at + Math.floor(at / 10)) % 10]}`
  return {
    name: at % 9 === 8 ? '' : name,
    email: toEmail(name),
    age: at % 7 === 6 ? 'unknown' : at % 11 === 5 ? `${25 + at} years` : 25 + (at % 40),
    status: ['active', 'gone', 'paused'][at % 3],
  }
}

export const RECORDS = Array.from({ length: 60 }, (_, at) => describePerson(at))

const OTHERS = Array.from({ length: 40 }, (_, at) => describePerson(60 + at))
export const CSV = `Full name;Mail;Age in years;State\n${OTHERS.map((one) => Object.values(one).join(';')).join('\n')}\n`

let addresses = 0

export const newAddress = (): string => `ada@harbor${process.env.VITEST_POOL_ID}${addresses++}.example`
