// Receives Bursar's webhooks with nothing but Go's standard library. The signature covers the bytes that were sent:
// never decode the body before it is verified. Go 1.22 or newer. Start: WEBHOOK_SECRET=whsec_… PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const mostBytes = 1 << 20

// verified tells whether one of the signatures is ours, and the delivery is no older than five minutes.
func verified(key []byte, header http.Header, body []byte) bool {
	sentAt := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age.Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), sentAt)
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(given)) { // in constant time
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET is not a signing secret")
	}
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
		if err != nil || !verified(key, r.Header, body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(body, &event); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Write the event down here, once per event.ID, and work on it after the answer.
		fmt.Println(event.Type, event.ID)
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
