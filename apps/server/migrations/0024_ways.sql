-- Electronic invoices and digital mailboxes, and what a message does that cannot go one way: it goes the next.

alter table debtor
  -- Where electronic invoices reach the debtor, scheme and number as in Peppol: 0007:5599990016.
  add column electronic_address text check (electronic_address ~ '^[0-9]{4}:[0-9A-Za-z._:-]{1,50}$');
grant update (electronic_address) on debtor to kvitt_app;

-- In which order an instance tries. What a debtor has to get ends on paper, so that nothing is lost.
alter table instance
  -- Reminders, notices and demands.
  add column letter_channels text[] not null default '{DIGITAL_MAILBOX,EMAIL,LETTER}'
    check (letter_channels <@ array['DIGITAL_MAILBOX', 'EMAIL', 'LETTER']
      and letter_channels[cardinality(letter_channels)] is not distinct from 'LETTER'),
  -- Instalments and interest to pay.
  add column bill_channels text[] not null default '{ELECTRONIC_INVOICE,DIGITAL_MAILBOX,EMAIL,LETTER}'
    check (bill_channels <@ array['ELECTRONIC_INVOICE', 'DIGITAL_MAILBOX', 'EMAIL', 'LETTER']
      and bill_channels[cardinality(bill_channels)] is not distinct from 'LETTER'),
  -- Everything else that is good to know.
  add column news_channels text[] not null default '{EMAIL,SMS}'
    check (news_channels <@ array['EMAIL', 'SMS']);

-- One message is one row, whichever way it goes in the end. Who was told twice keeps both rows.
update mail_outbox m set cause = m.cause || ':' || m.channel
from mail_outbox f
where f.instance_id = m.instance_id and f.cause = m.cause and f.kind = m.kind
  and (f.created_at, f.id) < (m.created_at, m.id);

alter table mail_outbox
  -- The ways that are left when this one is closed, the next one first.
  add column next_channels text[] not null default '{}',
  -- The ways that were closed and why, such as "DIGITAL_MAILBOX not connected".
  add column refusals text[] not null default '{}',
  -- The letter as it was handed over first: each further try says the same, byte for byte.
  add column file_id uuid,
  add foreign key (instance_id, file_id) references file (instance_id, id),
  drop constraint mail_outbox_instance_id_cause_kind_channel_key,
  add unique (instance_id, cause, kind),
  drop constraint mail_outbox_channel_check,
  add constraint mail_outbox_channel_check
    check (channel in ('EMAIL', 'SMS', 'LETTER', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE')),
  -- Either written down whole, or about an invoice or claim and composed when it is sent. Who gets it is kept then.
  drop constraint mail_outbox_check1,
  add check (invoice_id is not null or claim_id is not null
    or language is not null and subject is not null and text_body is not null),
  drop constraint mail_outbox_check2,
  add check (channel in ('EMAIL', 'SMS') or text_body is null),
  add check (channel <> 'ELECTRONIC_INVOICE' or step_id is null and invoice_id is not null);
grant update (channel, next_channels, refusals, file_id) on mail_outbox to kvitt_app;
