# Receives Bursar's webhooks with nothing but Ruby's standard library. The signature covers the bytes that were sent: never
# parse the body before it is verified. Start: WEBHOOK_SECRET=whsec_… PORT=3000 ruby receiver.rb

require 'json'
require 'openssl'
require 'socket'

SECRET = ENV.fetch('WEBHOOK_SECRET', '')
abort 'WEBHOOK_SECRET is not a signing secret' unless SECRET.match?(%r{\Awhsec_[A-Za-z0-9+/]+=*\z})
KEY = SECRET.delete_prefix('whsec_').unpack1('m')
FIVE_MINUTES = 300
MOST_BYTES = 1_048_576

# Whether one of the signatures is ours, and the delivery is no older than five minutes.
def verified?(headers, body)
  sent_at = headers['webhook-timestamp'].to_s
  return false unless sent_at.match?(/\A\d{1,12}\z/) && (Time.now.to_i - sent_at.to_i).abs <= FIVE_MINUTES

  signed = "#{headers['webhook-id']}.#{sent_at}.".b + body
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, signed)].pack('m0')}"
  headers['webhook-signature'].to_s.split.any? { |given| OpenSSL.secure_compare(expected, given) }
end

# The headers in small letters, and the body as bytes.
def read_request(client)
  client.gets # the request line
  headers = {}
  while (line = client.gets) && line != "\r\n"
    name, value = line.split(':', 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers['content-length'].to_i
  [headers, length.between?(1, MOST_BYTES) ? client.read(length).to_s.b : ''.b]
end

def answer(client)
  headers, body = read_request(client)
  accepted = verified?(headers, body)
  if accepted
    event = JSON.parse(body)
    # Write the event down here, once per event['id'], and work on it after the answer.
    puts "#{event['type']} #{event['id']}"
  end
  client.write("HTTP/1.1 #{accepted ? '204 No Content' : '400 Bad Request'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
ensure
  client.close
end

$stdout.sync = true
server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT', '3000')))
loop { Thread.new(server.accept) { |client| answer(client) } }
