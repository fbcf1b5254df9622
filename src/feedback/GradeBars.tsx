import type { Review } from '../../modules/folders/contract.ts'
import { GRADES, gradeMeaning } from '../folders/grades.ts'
import { capitalize } from '../ui/capitalize.ts'
import { cx } from '../ui/cx.ts'

/**
 * Grades on the scouting scale as thirteen rising bars, filled up to the grade. `progress`: URL of the progress page, if the viewer has
 * one.
 */
export const GradeBars = ({ grades, progress }: { grades: Review['grades']; progress?: string | undefined }) => (
  <section aria-labelledby="grades" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <h2 id="grades" className="text-18">
        Grades
      </h2>
      {progress && (
        <a href={progress} className="link -my-2 inline-flex min-h-11 items-center text-14">
          See them over time
        </a>
      )}
    </div>
    <p className="mt-1 text-14 text-ink-2">The 20–80 scale that scouts use. 50 is average for your level.</p>
    <ul className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
      {grades.map(({ skill, grade }) => (
        <li key={skill} className="grid grid-cols-[auto_1fr] items-end gap-x-4">
          <p className="text-48 leading-none font-heavy text-gold [font-stretch:112%]">{grade}</p>
          <div className="min-w-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="font-medium">{capitalize(skill)}</span>
              <span className="text-14 text-ink-2">{gradeMeaning(grade)}</span>
            </p>
            <span aria-hidden="true" className="mt-1 flex h-7 items-end gap-1">
              {GRADES.map((step, i) => (
                <span
                  key={step}
                  style={{ height: `${30 + i * 5.8}%` }}
                  className={cx('flex-1 rounded-[2px]', step <= grade ? 'bg-gold' : 'bg-line')}
                />
              ))}
            </span>
          </div>
          <span aria-hidden="true" className="col-start-2 grid grid-cols-3 text-13 text-ink-2">
            <span>20</span>
            <span className="text-center">50</span>
            <span className="text-right">80</span>
          </span>
        </li>
      ))}
    </ul>
  </section>
)
