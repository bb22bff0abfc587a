<?php
// Receives Bursar's webhooks with nothing but PHP itself. The signature covers the bytes that were sent: never decode
// the body before it is verified. Start: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:${PORT:-3000} receiver.php

declare(strict_types=1);

const FIVE_MINUTES = 300;

/** Whether one of the signatures is ours, and the delivery is no older than five minutes. */
function verified(string $secret, array $headers, string $body): bool
{
    $sentAt = $headers['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > FIVE_MINUTES) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $signed = ($headers['HTTP_WEBHOOK_ID'] ?? '') . '.' . $sentAt . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) { // in constant time
            return true;
        }
    }
    return false;
}

$secret = getenv('WEBHOOK_SECRET');
if (!is_string($secret) || !preg_match('~^whsec_[A-Za-z0-9+/]+=*$~', $secret)) {
    error_log('WEBHOOK_SECRET is not a signing secret');
    http_response_code(500);
    exit;
}

$body = file_get_contents('php://input');
if (!verified($secret, $_SERVER, $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// Write the event down here, once per $event['id'], and work on it after the answer.
error_log("{$event['type']} {$event['id']}");
http_response_code(204);
