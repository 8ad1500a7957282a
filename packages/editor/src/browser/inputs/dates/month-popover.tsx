import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button, Calendar, CalendarCell, CalendarGrid, CalendarHeading } from 'react-aria-components/Calendar';
import { Dialog, Popover } from 'react-aria-components/Popover';

/** The days of a month, to choose one of them for the field of a date around it. */
export function MonthPopover() {
  return (
    <Popover className="choices month" offset={2}>
      <Dialog>
        <Calendar>
          <header>
            <Button slot="previous" className="quiet">
              <ChevronLeft size={18} aria-hidden="true" />
            </Button>
            <CalendarHeading />
            <Button slot="next" className="quiet">
              <ChevronRight size={18} aria-hidden="true" />
            </Button>
          </header>
          <CalendarGrid weekdayStyle="short">{(date) => <CalendarCell date={date} />}</CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  );
}
