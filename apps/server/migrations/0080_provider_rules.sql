-- What a person used to set by hand in the database is set by a command, which writes down who did.
grant update (mail_from, letter_channels, bill_channels, news_channels, public_session_policy, guess_limits, analytics_code,
  helpdesk_chat_html, chat_mode, chat_hosts) on instance to kvitt_app;
