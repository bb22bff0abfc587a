/** What a key may do, chosen by resource in words: nothing, read, or read and write. Nobody gives more than they hold, so no more is offered. */
import { Button, SegmentedControl } from '@mantine/core';
import { useMay } from '../../api/me.ts';
import { type Level, levelsOf, PRESETS, SCOPE_GROUPS, type ScopeWords, scopesOf } from './scopes.ts';
import classes from './keys.module.css';

interface Props {
  readonly levels: ReadonlyMap<string, Level>;
  onChange(levels: ReadonlyMap<string, Level>): void;
}

const BOTH = [
  { value: 'none', label: 'No' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
];
const LOOKS_ONLY = BOTH.slice(0, 2);

export function ScopesField({ levels, onChange }: Props) {
  const may = useMay();
  return (
    <fieldset className={classes['scopes']}>
      <legend className="small muted">By resource; who writes also reads</legend>
      <div className="row">
        {PRESETS.map(({ name, scopes }) => (
          <Button key={name} variant="default" size="xs" onClick={() => onChange(levelsOf(scopes.filter(may)))}>
            {name}
          </Button>
        ))}
        <Button variant="subtle" size="xs" disabled={scopesOf(levels).length === 0} onClick={() => onChange(new Map())}>
          Clear
        </Button>
      </div>
      {SCOPE_GROUPS.map(({ name, resources }) => (
        <section key={name}>
          <h2 className={classes['group']}>{name}</h2>
          {resources
            .filter(({ resource }) => may(`${resource}:read`))
            .map((words) => (
              <Resource
                key={words.resource}
                words={words}
                mayWrite={words.writes !== null && may(`${words.resource}:write`)}
                level={levels.get(words.resource) ?? 'none'}
                onChange={(level) => onChange(new Map(levels).set(words.resource, level))}
              />
            ))}
        </section>
      ))}
    </fieldset>
  );
}

interface ResourceProps {
  readonly words: ScopeWords;
  readonly mayWrite: boolean;
  readonly level: Level;
  onChange(level: Level): void;
}

function Resource({ words, mayWrite, level, onChange }: ResourceProps) {
  const { name, reads, writes } = words;
  return (
    <div className={classes['scope']}>
      <div className="grow">
        <div>{name}</div>
        <div className={`small muted ${classes['reads']}`}>
          {level === 'write' ? `${reads}; ${writes ?? ''}` : reads}
        </div>
      </div>
      <SegmentedControl
        aria-label={name}
        size="xs"
        data={mayWrite ? BOTH : LOOKS_ONLY}
        value={level}
        onChange={(next) => onChange(next as Level)}
      />
    </div>
  );
}
